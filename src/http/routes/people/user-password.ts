import { Type } from 'typebox'

/** What somebody else gives a user; it is held to what users are held to themselves. */
export const givenPassword = (description: string) =>
  Type.Union([Type.String({ minLength: 12, maxLength: 1024 }), Type.Null()], { description })
