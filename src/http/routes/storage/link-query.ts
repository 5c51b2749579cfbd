import { Type } from 'typebox'

/**
 * The parameters that the signature of a link covers; with any others it is a different address.
 * The signature is the judge of all values, so a link that was altered is refused as a link and
 * not as an invalid field.
 */
export function signedQuery(examples: Readonly<Record<string, string>>) {
  const fields = Object.entries(examples).map(([name, example]) => {
    const given = { description: 'Part of the link, as it was given', examples: [example] }
    return [name, Type.Optional(Type.Unknown(given))] as const
  })
  return Type.Object(Object.fromEntries(fields))
}
