import { Type } from 'typebox'

/** Whatever it is, the signature judges it: what was altered is refused as a link, not as a field. */
export const ofTheLink = (example: string) =>
  Type.Optional(
    Type.Unknown({ description: 'Part of the link, as it was given', examples: [example] }),
  )
