import type { SqlType } from '../core/plan.ts'

/**
 * What a detected column may become if a later value does not fit it, narrowest first. Text accepts
 * everything; JSON becomes canonical text. A date column is fixed: anything else in it is an
 * invalid cell, and only a time widens it. A given type only widens within its own family, so never
 * to text.
 */
export const WIDENS_TO: Record<SqlType, readonly SqlType[]> = {
  bigint: ['numeric', 'text'],
  numeric: ['text'],
  boolean: ['text'],
  jsonb: ['text'],
  date: ['timestamptz'],
  timestamptz: [],
  text: [],
}
