import { randomUUID } from 'node:crypto'

/** A path that was never used before, since a failed upload may remove whatever its key holds. */
export function freshPath(prefix: 'documents' | 'sources'): string {
  const id = randomUUID()
  return `${prefix}/${id.slice(0, 2)}/${id}`
}
