import { Readable } from 'node:stream'

/** A socket delivers pieces of up to 64 KiB; this many may wait for the slower reader. */
const PIECES_HELD = 4

interface Tee {
  /** Ends when the source has ended. */
  readonly first: Readable
  /** Ends only after `release` has settled, so whoever reads it to its end knows that all is well. */
  readonly second: Readable
  /** Settles when both branches have ended, or with the error that broke one of them. */
  readonly done: Promise<void>
}

/**
 * Splits one stream for two readers. The slower one sets the pace; if the second branch is
 * destroyed, the first goes on alone.
 */
export function tee(source: Readable, release: () => Promise<void>, signal: AbortSignal): Tee {
  const first = new Branch()
  const second = new Branch()
  const fail = (error: Error) => {
    for (const stream of [source, first, second]) stream.destroy(error)
  }
  const share = async () => {
    for await (const bytes of source) {
      await Promise.all([first.handOn(bytes), second.handOn(bytes)])
      if (first.destroyed) break
    }
    first.end()
    // If the first branch was destroyed, this rejects with the reason.
    await release()
    if (first.errored !== null) throw first.errored
    second.end()
  }
  const abort = () => fail(asError(signal.reason))
  signal.addEventListener('abort', abort, { once: true })
  if (signal.aborted) abort()
  const done = share()
    .catch((error: unknown) => {
      fail(asError(error))
      throw signal.aborted ? signal.reason : error
    })
    .finally(() => signal.removeEventListener('abort', abort))
  return { first, second, done }
}

/** Passes pieces on one by one: a stream that counts bytes would join them by copying. */
class Branch extends Readable {
  #hasRoom: (() => void) | null = null

  constructor() {
    super({ objectMode: true, highWaterMark: PIECES_HELD })
    // Destroying a branch that nobody reads yet must not end the process.
    this.on('error', () => undefined)
  }

  /** Resolves when there is room for more, or at once if the branch was destroyed. */
  async handOn(bytes: Buffer): Promise<void> {
    if (this.destroyed || this.push(bytes)) return
    await new Promise<void>((resolve) => {
      this.#hasRoom = resolve
    })
  }

  end(): void {
    if (!this.destroyed) this.push(null)
  }

  override _read(): void {
    this.#hasRoom?.()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#hasRoom?.()
    done(error)
  }
}

const asError = (reason: unknown): Error =>
  reason instanceof Error ? reason : new Error('The upload was stopped', { cause: reason })
