import { Type } from 'typebox'

/** Identifies the rows. In a form, the documentation page sends an empty field for none. */
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
