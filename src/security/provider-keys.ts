import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose'

import { systemClock, waitFor } from '../time/clock.ts'

const ASK_AT_MOST_EVERY_MS = 1000
const OLD_AFTER_MS = 10 * 60_000
const ANSWER_WITHIN_MS = 5000
const MOST_BYTES = 1024 * 1024

/** The identity provider gave no keys, so tokens cannot be checked. */
export class KeysUnavailableError extends Error {
  override readonly name = 'KeysUnavailableError'
}

/** Is notified of failures and of recoveries. */
export interface Outages {
  failed(error: unknown): void
  worked(): void
}

interface ProviderKeysOptions {
  readonly url: string
  readonly outages: Outages | null
}

/**
 * The keys of an identity provider, which may change. A token with an unknown key fetches them
 * again, at most once per second for all tokens together. Known keys remain valid, however long the
 * provider is unavailable.
 */
export function openProviderKeys({ url, outages }: ProviderKeysOptions): JWTVerifyGetKey {
  let known: JWTVerifyGetKey | null = null
  let knownSince = -Infinity
  let askedAt = -Infinity
  let underWay: Promise<JWTVerifyGetKey> | null = null
  const clock = systemClock

  async function ask(): Promise<JWTVerifyGetKey> {
    const pauseMs = Math.max(0, askedAt + ASK_AT_MOST_EVERY_MS - clock.now())
    await waitFor(clock, pauseMs, new AbortController().signal)
    try {
      known = createLocalJWKSet(await fetchKeys(url))
      knownSince = clock.now()
      outages?.worked()
      return known
    } catch (cause) {
      outages?.failed(cause)
      throw new KeysUnavailableError('The identity provider did not provide its keys', { cause })
    } finally {
      askedAt = clock.now()
    }
  }

  const askOnce = (): Promise<JWTVerifyGetKey> =>
    (underWay ??= ask().finally(() => {
      underWay = null
    }))

  return async (header, token) => {
    if (known !== null) {
      // Nobody waits for this, and a failure is logged.
      if (clock.now() - knownSince > OLD_AFTER_MS) askOnce().catch(() => undefined)
      try {
        return await known(header, token)
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
      }
    }
    const fresh = await askOnce()
    return fresh(header, token)
  }
}

async function fetchKeys(url: string): Promise<JSONWebKeySet> {
  const response = await fetch(url, {
    redirect: 'manual',
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    headers: { accept: 'application/jwk-set+json, application/json' },
  })
  const text = await readText(response)
  if (response.status !== 200) throw new Error(`It answered with status ${response.status}`)
  const keys = parseKeys(text)
  if (!Array.isArray(keys.keys) || keys.keys.length === 0) throw new Error('It named no keys')
  return keys
}

async function readText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.length
    if (bytes > MOST_BYTES) throw new Error(`It answered with more than ${MOST_BYTES} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

function parseKeys(text: string): JSONWebKeySet {
  try {
    return (JSON.parse(text) ?? {}) as JSONWebKeySet
  } catch (cause) {
    throw new Error('It answered with something that is not JSON', { cause })
  }
}
