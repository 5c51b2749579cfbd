import type { Actor } from '../actor.ts'

/** What a caller has shown to be who they are. */
export type Credential =
  | {
      readonly kind: 'session'
      /** Null: whoever issued the token gave it no name of its own (`jti`). */
      readonly id: string | null
    }
  | { readonly kind: 'personal-token' }

export interface Caller {
  readonly actor: Actor
  readonly credential: Credential
}
