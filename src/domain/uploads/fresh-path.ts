import { randomUUID } from 'node:crypto'

/** Never used before: a failed put may remove whatever its key holds. */
export function freshPath(prefix: 'documents' | 'sources'): string {
  const id = randomUUID()
  return `${prefix}/${id.slice(0, 2)}/${id}`
}
