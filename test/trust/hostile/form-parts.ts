import type { Draft } from './attack.ts'

const BOUNDARY = 'trust-boundary'

export function wholesomeParts(): string[] {
  return [
    part('name="source"', 'file'),
    part('name="name"', 'Hostile'),
    part('name="tableName"', 'hostile'),
    part('name="file"; filename="a.csv"', 'a,b\r\n1,2\r\n'),
  ]
}

export const part = (disposition: string, content: string) =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`

export function putForm(draft: Draft, parts: readonly string[], end = `--${BOUNDARY}--\r\n`): void {
  draft.body = Buffer.from(parts.join('') + end)
  draft.headers['content-type'] = `multipart/form-data; boundary=${BOUNDARY}`
}
