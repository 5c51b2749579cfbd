import { hash, randomBytes } from 'node:crypto'

const MARK = 'adm_'
const RANDOM_BYTES = 32
const SHOWN_CHARACTERS = 12

interface NewPersonalToken {
  readonly token: string
  /** The part that is still shown later. */
  readonly prefix: string
  readonly hash: Buffer
}

export function makePersonalToken(): NewPersonalToken {
  const token = MARK + randomBytes(RANDOM_BYTES).toString('base64url')
  return { token, prefix: token.slice(0, SHOWN_CHARACTERS), hash: hashPersonalToken(token) }
}

/** The other kind of tokens, JWTs, begins with a header. */
export const isPersonalToken = (token: string): boolean => token.startsWith(MARK)

/** A fast hash is enough, since 256 random bits cannot be guessed. */
export const hashPersonalToken = (token: string): Buffer => hash('sha256', token, 'buffer')
