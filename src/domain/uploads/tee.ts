import { Readable } from 'node:stream'

/** Pieces of a socket, of 64 KiB at most: so many may wait for the slower reader. */
const PIECES_HELD = 4

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
    // Where the first branch was given up, this says why.
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

/** Hands on what it is given, piece by piece: a stream that counts bytes would join them into copies. */
class Branch extends Readable {
  #hasRoom: (() => void) | null = null

  constructor() {
    super({ objectMode: true, highWaterMark: PIECES_HELD })
    // One that nobody reads yet must not end the process when it is destroyed.
    this.on('error', () => undefined)
  }

  /** Resolves when there is room for more; at once where nobody wants any. */
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
