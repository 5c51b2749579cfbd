import { write, writeSync } from 'node:fs'

import type { DestinationStream } from 'pino'

import { hasCode } from '../errors/system-codes.ts'

/** Lines are written in groups: when there are this many characters, or after this time. */
const GROUP_LENGTH = 4096
const LONGEST_WAIT_MS = 100
/** Of a reader that takes nothing, later lines are left out, since memory is bounded. */
const MOST_WAITING_LENGTH = 16 * 1024 * 1024
/** A reader that is slow is tried again after this time. */
const FULL_WAIT_MS = 20
/** How long the end of the process waits for a reader that takes nothing. */
const LAST_LINES_WITHIN_MS = 1000

/**
 * Where log lines go that no terminal shows: in groups, without holding the event loop. What still
 * waits when the process ends is written then, unless its reader is gone or takes nothing. The
 * destination of pino repeats a write that fails at that moment for ever, so the process never ended.
 */
export class GatheredLines implements DestinationStream {
  readonly #descriptor: number
  #waiting: string[] = []
  #length = 0
  #isWriting = false
  /** What a full pipe did not take. */
  #stalled: Buffer | null = null
  #hasReader = true
  #timer: NodeJS.Timeout | null = null

  static readonly #writers = new Map<number, GatheredLines>()

  /** The same for all loggers of a process: two would write into each other's lines. */
  static of(descriptor: number): GatheredLines {
    const known = this.#writers.get(descriptor)
    if (known !== undefined) return known
    const made = new GatheredLines(descriptor)
    this.#writers.set(descriptor, made)
    return made
  }

  private constructor(descriptor: number) {
    this.#descriptor = descriptor
    process.once('exit', () => this.#writeLast())
  }

  write(line: string): void {
    if (!this.#hasReader || this.#length > MOST_WAITING_LENGTH) return
    this.#waiting.push(line)
    this.#length += line.length
    if (this.#length >= GROUP_LENGTH) this.#writeGroup()
    else this.#timer ??= setTimeout(() => this.#writeGroup(), LONGEST_WAIT_MS).unref()
  }

  #take(): Buffer {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    const group = Buffer.from(this.#waiting.join(''))
    this.#waiting = []
    this.#length = 0
    return group
  }

  #writeGroup(): void {
    if (this.#isWriting || this.#waiting.length === 0) return
    this.#isWriting = true
    this.#writeRest(this.#take())
  }

  #writeRest(group: Buffer): void {
    write(this.#descriptor, group, (error, written) => {
      if (isFull(error)) {
        this.#stalled = group
        setTimeout(() => this.#tryAgain(), FULL_WAIT_MS).unref()
        return
      }
      if (error === null && written < group.length) {
        this.#writeRest(group.subarray(written))
        return
      }
      this.#isWriting = false
      // Nobody can be told of either. A disk that is full may have room again for later lines.
      if (hasCode(error, 'EPIPE')) this.#hasReader = false
      if (this.#hasReader) this.#writeGroup()
      else this.#take()
    })
  }

  #tryAgain(): void {
    const group = this.#stalled!
    this.#stalled = null
    this.#writeRest(group)
  }

  #writeLast(): void {
    let rest = Buffer.concat([this.#stalled ?? Buffer.alloc(0), this.#take()])
    const giveUpAt = performance.now() + LAST_LINES_WITHIN_MS
    while (rest.length > 0) {
      try {
        rest = rest.subarray(writeSync(this.#descriptor, rest))
      } catch (error) {
        if (!isFull(error) || performance.now() > giveUpAt) return
        sleep(FULL_WAIT_MS)
      }
    }
  }
}

const isFull = (error: unknown): boolean => hasCode(error, 'EAGAIN') || hasCode(error, 'EBUSY')

/** The process is ending, so nothing else would run meanwhile. */
function sleep(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}
