import { Type } from 'typebox'

export const RAGGED_POLICIES = ['reject', 'pad', 'fit'] as const
export type RaggedPolicy = (typeof RAGGED_POLICIES)[number]

/** What can be said about rows that stand below each other as people laid them out. */
export const SHEET_OPTIONS = {
  headerRow: Type.Integer({
    minimum: 0,
    maximum: 1_000_000,
    description: 'From 1; 0: there is none',
  }),
  ragged: Type.Enum(RAGGED_POLICIES),
}
