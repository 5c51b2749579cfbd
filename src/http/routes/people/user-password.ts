import { Type } from 'typebox'

import { PASSWORD_LENGTH } from '../../../resources/password.ts'

/** A password that somebody else sets for a user; it follows the same rules as the user's own choice. */
export const givenPassword = (description: string) =>
  Type.Union([Type.String(PASSWORD_LENGTH), Type.Null()], { description })
