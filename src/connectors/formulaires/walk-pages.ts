import { setImmediate as nextTurn } from 'node:timers/promises'
import { hash } from 'node:crypto'

import type { PageContent, RecordPages, Message } from '../../../pipelines/index.ts'
import { type Clock, systemClock } from '../../time/clock.ts'
import { ConnectorError, remoteFailure } from '../errors.ts'
import { createCountCheck } from './count-check.ts'
import type { PageEnd } from './wire.ts'
import { connectorMessages } from '../connector-messages.ts'

/** A page that has been received but not parsed. */
export interface ArrivedPage {
  readonly json: readonly Buffer[]
  /** Size of the page as JSON. */
  readonly bytes: number
  /** A guess at its `nextCursor`, which reading it will confirm or not. */
  readonly likelyCursor: string | null
  /** What the page says besides its records, once it has been parsed. */
  endOf(content: PageContent): PageEnd
}

export type FetchPage = (cursor: string | null, signal: AbortSignal) => Promise<ArrivedPage>

/** The limits of a single load, whatever the remote application sends. */
export interface WalkLimits {
  readonly maxPages: number
  /** Consecutive pages without a record. */
  readonly maxEmptyPages: number
  readonly maxRows: number
  readonly maxBytes: number
  readonly loadTimeoutMs: number
}

/**
 * Follows the cursor to its end, and yields pages as they were received. While the caller works on
 * a page, the next one is fetched, but never a third. The request is sent as soon as the cursor can
 * be guessed, before the page that contains it is parsed, since the remote application would be
 * idle meanwhile. Leaving early, cancelling and failing all stop the request in progress.
 */
export async function* walkPages(
  fetchPage: FetchPage,
  limits: WalkLimits,
  signal: AbortSignal,
  clock: Clock = systemClock,
): RecordPages {
  signal.throwIfAborted()
  const stop = new AbortController()
  const onAbort = () => stop.abort(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  const takeBack = clock.after(limits.loadTimeoutMs, () => stop.abort(loadTooSlow(limits)))
  const counts = createCountCheck()
  const cursors = createCursorMemory()
  const checkBounds = createBoundsCheck(limits)
  const askFor = (cursor: string | null) => ask(fetchPage, cursor, stop.signal)

  let next: Request | null = askFor(null)
  try {
    while (next) {
      const outcome: Settled<ArrivedPage> = await next.outcome
      next = null
      stop.signal.throwIfAborted()
      if (outcome.kind === 'failed') throw outcome.error
      const { json, bytes, likelyCursor, endOf }: ArrivedPage = outcome.value
      if (likelyCursor !== null) next = await sentOff(askFor(likelyCursor))
      const content: PageContent = yield json
      stop.signal.throwIfAborted()
      const { nextCursor, total } = endOf(content)
      checkBounds(content.rows, bytes)
      counts.page(content.rows, total)
      if (nextCursor === null) counts.end()
      else cursors.remember(nextCursor)
      if (nextCursor !== likelyCursor) {
        await next?.cancel()
        next = nextCursor === null ? null : askFor(nextCursor)
      }
    }
  } finally {
    takeBack()
    signal.removeEventListener('abort', onAbort)
    stop.abort()
    await next?.outcome
  }
}

interface Request {
  readonly outcome: Promise<Settled<ArrivedPage>>
  /** Settles when the request has ended. */
  cancel(): Promise<void>
}

function ask(fetchPage: FetchPage, cursor: string | null, signal: AbortSignal): Request {
  const own = new AbortController()
  const onAbort = () => own.abort(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  const outcome = settled(fetchPage(cursor, own.signal)).finally(() =>
    signal.removeEventListener('abort', onAbort),
  )
  return {
    outcome,
    async cancel() {
      own.abort()
      await outcome
    },
  }
}

/**
 * A connection is reused only in the next turn of the event loop. The work that follows may block
 * it for long, so the request must be sent before.
 */
async function sentOff(request: Request): Promise<Request> {
  await nextTurn()
  return request
}

type Settled<T> =
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'failed'; readonly error: unknown }

/** A page fetched ahead may fail before anything waits for it; that must not end the process. */
function settled<T>(work: Promise<T>): Promise<Settled<T>> {
  return work.then(
    (value) => ({ kind: 'done', value }),
    (error: unknown) => ({ kind: 'failed', error }),
  )
}

function createBoundsCheck(limits: WalkLimits): (rows: number, bytes: number) => void {
  let pages = 0
  let emptyPages = 0
  let records = 0
  let bytes = 0
  return (rows, pageBytes) => {
    pages += 1
    emptyPages = rows === 0 ? emptyPages + 1 : 0
    records += rows
    bytes += pageBytes
    if (pages > limits.maxPages)
      throw tooLarge(connectorMessages.manyPages({ most: limits.maxPages }))
    if (records > limits.maxRows)
      throw tooLarge(connectorMessages.manyRecords({ most: limits.maxRows }))
    if (bytes > limits.maxBytes)
      throw tooLarge(connectorMessages.manyBytes({ most: limits.maxBytes }))
    if (emptyPages > limits.maxEmptyPages) {
      throw remoteFailure('inconsistent', connectorMessages.emptyPages({ pages: emptyPages }))
    }
  }
}

function tooLarge(text: Message): ConnectorError {
  return remoteFailure('too-large', text)
}

function loadTooSlow({ loadTimeoutMs }: WalkLimits): ConnectorError {
  return new ConnectorError(
    { kind: 'too-slow' },
    connectorMessages.loadTooSlow({ seconds: Math.round(loadTimeoutMs / 1000) }),
  )
}

/**
 * Notices a repeated cursor. Cursors may be long, so only a short digest of each is kept; the
 * number of pages of a load is bounded, and so is the memory.
 */
interface CursorMemory {
  remember(cursor: string): void
}

const DIGEST_CHARACTERS = 16

function createCursorMemory(): CursorMemory {
  const seen = new Set<string>()
  return {
    remember(cursor) {
      const digest = hash('sha256', cursor, 'base64url').slice(0, DIGEST_CHARACTERS)
      if (seen.has(digest)) {
        throw remoteFailure('inconsistent', connectorMessages.cursorTwice())
      }
      seen.add(digest)
    },
  }
}
