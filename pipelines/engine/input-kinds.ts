import type { Format } from '../core/format.ts'

/** What reports say about an input: for bytes, what their format says; for records, always the same. */
export type InputKind = Pick<Format, 'name' | 'sourceType' | 'options'>

export const RECORDS: InputKind = { name: 'records', sourceType: 'API_FORM', options: {} }

/** Every type that a source can be stored as. */
export function sourceTypes(formats: Iterable<Format>): string[] {
  return [...new Set([...formats, RECORDS].map(({ sourceType }) => sourceType))]
}
