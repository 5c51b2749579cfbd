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

/** A caller who was let in, and may have lost that right since. */
export interface Admitted extends Caller {
  /** Who they are by now; refuses whoever would not be let in any more. */
  again(): Promise<Caller>
}
