import type { Format } from '../core/format.ts'

/** What is known of an input whoever reads it: of bytes by their format, of records without a look. */
export type InputKind = Pick<Format, 'name' | 'sourceType' | 'options'>

export const RECORDS: InputKind = { name: 'records', sourceType: 'API_FORM', options: {} }

/** Everything that a source can be. */
export function sourceTypes(formats: Iterable<Format>): string[] {
  return [...new Set([...formats, RECORDS].map(({ sourceType }) => sourceType))]
}
