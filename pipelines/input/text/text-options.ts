import { type Static, type TObject, Type } from 'typebox'

/** What can be said about any text. */
export const TEXT_OPTIONS = {
  encoding: Type.Optional(
    Type.String({ minLength: 1, maxLength: 40, description: 'A WHATWG label: utf-8, latin1 …' }),
  ),
}

export type TextOptions = Static<TObject<typeof TEXT_OPTIONS>>
