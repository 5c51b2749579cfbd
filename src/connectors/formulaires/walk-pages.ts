import { setImmediate as nextTurn } from 'node:timers/promises'

import { ConnectorError, remoteFailure } from '../errors.ts'
import { createCountCheck } from './count-check.ts'
import { createCursorMemory } from './cursor-memory.ts'

export interface FetchedPage {
  readonly records: readonly Readonly<Record<string, unknown>>[]
  readonly nextCursor: string | null
  readonly total: number
  /** Size of the page as JSON. */
  readonly bytes: number
}

export type FetchPage = (cursor: string | null, signal: AbortSignal) => Promise<FetchedPage>

/** What one load may take at most, whatever the remote application sends. */
export interface WalkLimits {
  readonly maxPages: number
  /** Pages without a record, one after another. */
  readonly maxEmptyPages: number
  readonly maxRows: number
  readonly maxBytes: number
  readonly loadTimeoutMs: number
}

/**
 * Follows the cursor to its end. While the caller works on one page the next one is fetched; no
 * third is ever begun. Leaving early, cancelling and failing all stop the request under way.
 */
export async function* walkPages(
  fetchPage: FetchPage,
  limits: WalkLimits,
  signal: AbortSignal,
): AsyncGenerator<FetchedPage, void, undefined> {
  signal.throwIfAborted()
  const stop = new AbortController()
  const onAbort = () => stop.abort(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  const timer = setTimeout(() => stop.abort(loadTooSlow(limits)), limits.loadTimeoutMs)
  const counts = createCountCheck()
  const cursors = createCursorMemory()
  const checkBounds = createBoundsCheck(limits)
  const fetchNext = (cursor: string | null) => settled(fetchPage(cursor, stop.signal))

  let next: Promise<Settled<FetchedPage>> | null = fetchNext(null)
  try {
    while (next) {
      const outcome: Settled<FetchedPage> = await next
      next = null
      stop.signal.throwIfAborted()
      if (outcome.kind === 'failed') throw outcome.error
      const { page } = outcome
      checkBounds(page)
      counts.page(page.records.length, page.total)
      if (page.nextCursor === null) {
        counts.end()
      } else {
        cursors.remember(page.nextCursor)
        next = fetchNext(page.nextCursor)
        // A connection is used again only in the next turn of the event loop. The caller may work
        // for long without one, so the request is sent off before.
        await nextTurn()
      }
      yield page
    }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
    stop.abort()
    await next
  }
}

type Settled<T> =
  | { readonly kind: 'done'; readonly page: T }
  | { readonly kind: 'failed'; readonly error: unknown }

/** A page fetched ahead may fail before anyone waits for it; that must not end the process. */
function settled<T>(page: Promise<T>): Promise<Settled<T>> {
  return page.then(
    (value) => ({ kind: 'done', page: value }),
    (error: unknown) => ({ kind: 'failed', error }),
  )
}

function createBoundsCheck(limits: WalkLimits): (page: FetchedPage) => void {
  let pages = 0
  let emptyPages = 0
  let rows = 0
  let bytes = 0
  return ({ records, bytes: pageBytes }) => {
    pages += 1
    emptyPages = records.length === 0 ? emptyPages + 1 : 0
    rows += records.length
    bytes += pageBytes
    if (pages > limits.maxPages) throw tooLarge(`${limits.maxPages} pages`)
    if (rows > limits.maxRows) throw tooLarge(`${limits.maxRows} records`)
    if (bytes > limits.maxBytes) throw tooLarge(`${limits.maxBytes} bytes`)
    if (emptyPages > limits.maxEmptyPages) {
      throw remoteFailure(
        'inconsistent',
        `The remote application sent ${emptyPages} pages without a record, and goes on`,
      )
    }
  }
}

function tooLarge(limit: string): ConnectorError {
  return remoteFailure('too-large', `The remote application holds more than ${limit}`)
}

function loadTooSlow({ loadTimeoutMs }: WalkLimits): ConnectorError {
  return new ConnectorError(
    { kind: 'too-slow' },
    `The load took longer than ${Math.round(loadTimeoutMs / 1000)} seconds`,
  )
}
