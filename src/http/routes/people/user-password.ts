import { Type } from 'typebox'

import { PASSWORD_LENGTH } from '../../../resources/password.ts'

/** What somebody else gives a user; it is held to what users are held to themselves. */
export const givenPassword = (description: string) =>
  Type.Union([Type.String(PASSWORD_LENGTH), Type.Null()], { description })
