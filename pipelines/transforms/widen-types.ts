import type { SqlType } from '../core/plan.ts'

/**
 * What a detected column may become when a later value does not fit it, narrowest first. Text takes
 * everything; JSON in it is canonical. A date column is held to: what is not a date in it is an
 * invalid cell, and only a time widens it. A given type stays in its own row's family: text is not
 * for it.
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
