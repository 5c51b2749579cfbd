/** Where first answers are kept. */
export interface IdempotencyStore {
  /** Takes the key, or says what became of the one who took it before. */
  begin(claim: IdempotencyClaim): Promise<IdempotencyState>
  finish(claim: IdempotencyClaim, fingerprint: string, answer: StoredAnswer): Promise<void>
  /** Frees the key: the request failed for reasons of ours and may be sent again. */
  forget(claim: IdempotencyClaim): Promise<void>
  /** Drops what is older than a key is kept. */
  sweep(): Promise<void>
}

export interface IdempotencyClaim {
  readonly actorId: number
  readonly key: string
}

export type IdempotencyState =
  | { readonly kind: 'begun' }
  | { readonly kind: 'under-way' }
  | { readonly kind: 'done'; readonly fingerprint: string; readonly answer: StoredAnswer }

export interface StoredAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** JSON as it was sent, so that it is the same to the letter; null where there was none. */
  readonly json: string | null
}
