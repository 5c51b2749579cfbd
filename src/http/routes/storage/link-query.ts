import { Type } from 'typebox'

/**
 * What the signature of a link covers; anything else in the query makes the address another one.
 * Whatever stands there, the signature judges it: what was altered is refused as a link, not as a
 * field.
 */
export function signedQuery(examples: Readonly<Record<string, string>>) {
  const fields = Object.entries(examples).map(([name, example]) => {
    const given = { description: 'Part of the link, as it was given', examples: [example] }
    return [name, Type.Optional(Type.Unknown(given))] as const
  })
  return Type.Object(Object.fromEntries(fields))
}
