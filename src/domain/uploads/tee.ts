import { PassThrough, type Readable } from 'node:stream'

import { AS_RECEIVED } from '../../storage/as-received.ts'

/** Each branch may hold this much before the source has to wait for it. */
const BRANCH = { ...AS_RECEIVED, writableHighWaterMark: 256 * 1024 }

export interface Tee {
  /** Ends when the source has ended. */
  readonly first: Readable
  /** Ends only when `release` has settled: whoever read it to its end knows that all is well. */
  readonly second: Readable
  /** Settles when both branches have ended, or with what broke one of them. */
  readonly done: Promise<void>
}

/**
 * One stream for two readers. The slower of them sets the pace; a second branch that is destroyed
 * stops counting, and the first goes on alone.
 */
export function tee(source: Readable, release: () => Promise<void>, signal: AbortSignal): Tee {
  const first = new PassThrough(BRANCH)
  const second = new PassThrough(BRANCH)
  const branches = [first, second]
  const fail = (error: Error) => {
    source.destroy(error)
    for (const branch of branches) branch.destroy(error)
  }
  // A branch that nobody reads yet must not end the process when it is destroyed.
  for (const branch of branches) branch.on('error', () => undefined)

  const pump = async () => {
    for await (const chunk of source) {
      for (const branch of branches) if (!branch.destroyed) branch.write(chunk)
      for (const branch of branches) await drained(branch)
      if (first.destroyed) break
    }
    if (!first.destroyed) first.end()
    // Where the first branch was given up, this says why.
    await release()
    if (first.errored !== null) throw first.errored
    second.end()
  }
  const abort = () => fail(asError(signal.reason))
  signal.addEventListener('abort', abort, { once: true })
  if (signal.aborted) abort()
  const done = pump()
    .catch((error: unknown) => {
      fail(asError(error))
      throw signal.aborted ? signal.reason : error
    })
    .finally(() => signal.removeEventListener('abort', abort))
  return { first, second, done }
}

async function drained(branch: PassThrough): Promise<void> {
  if (branch.destroyed || !branch.writableNeedDrain) return
  await new Promise<void>((resolve) => {
    const go = () => {
      branch.off('drain', go)
      branch.off('close', go)
      resolve()
    }
    branch.on('drain', go)
    branch.on('close', go)
  })
}

const asError = (reason: unknown): Error =>
  reason instanceof Error ? reason : new Error('The upload was stopped', { cause: reason })
