import type { Actor } from '../actor.ts'

/** How a caller has proved who they are. */
export type Credential =
  | {
      readonly kind: 'session'
      /** Null if the issuer gave the token no identifier (`jti`). */
      readonly id: string | null
    }
  | {
      readonly kind: 'personal-token'
      /** Its uuid. */
      readonly id: string
    }

export interface Caller {
  readonly actor: Actor
  readonly credential: Credential
}
