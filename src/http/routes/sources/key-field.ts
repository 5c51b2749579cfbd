import { Type } from 'typebox'

/** What tells rows apart. In a form, as the documentation page sends it, an empty field is none. */
export const keyField = (description: string) =>
  Type.Optional(
    Type.String({
      format: 'without-nul',
      description: `${description}; empty: none`,
      examples: [''],
    }),
  )

export const givenKey = (key: string | undefined): string | undefined =>
  key === '' ? undefined : key
