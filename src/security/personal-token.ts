import { hash, randomBytes } from 'node:crypto'

const MARK = 'adm_'
const RANDOM_BYTES = 32
const SHOWN_CHARACTERS = 12

export interface NewPersonalToken {
  readonly token: string
  /** What is shown of it later on. */
  readonly prefix: string
  readonly hash: Buffer
}

export function makePersonalToken(): NewPersonalToken {
  const token = MARK + randomBytes(RANDOM_BYTES).toString('base64url')
  return { token, prefix: token.slice(0, SHOWN_CHARACTERS), hash: hashPersonalToken(token) }
}

/** Tokens of the other kind, JWTs, begin with their header. */
export const isPersonalToken = (token: string): boolean => token.startsWith(MARK)

/** A fast hash is enough: nobody tries out 256 random bits. */
export const hashPersonalToken = (token: string): Buffer => hash('sha256', token, 'buffer')
