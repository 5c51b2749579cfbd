import type { Format } from '../core/format.ts'

/** What reports say of an input: for bytes their format states it, for records it is always the same. */
export type InputKind = Pick<Format, 'name' | 'sourceType' | 'options'>

export const RECORDS: InputKind = { name: 'records', sourceType: 'API_FORM', options: {} }

/** Every type that a source can be stored as. */
export function sourceTypes(formats: Iterable<Format>): string[] {
  return [...new Set([...formats, RECORDS].map(({ sourceType }) => sourceType))]
}
