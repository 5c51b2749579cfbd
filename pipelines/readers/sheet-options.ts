import { type Static, type TObject, Type } from 'typebox'

export const RAGGED_POLICIES = ['reject', 'pad', 'fit'] as const
export type RaggedPolicy = (typeof RAGGED_POLICIES)[number]

/** What can be said about rows that stand below each other as people laid them out. */
export const SHEET_OPTIONS = {
  headerRow: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'From 1; 0: there is none' }),
  ),
  ragged: Type.Optional(Type.Enum(RAGGED_POLICIES)),
}

export type SheetOptions = Static<TObject<typeof SHEET_OPTIONS>>
