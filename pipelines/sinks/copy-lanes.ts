import type { ClientBase } from 'pg'

import { CopyChunk } from './copy-chunk.ts'
import { CopyStream } from './copy-stream.ts'
import { asSinkError } from './errors.ts'

/** For every stream: one being filled, one on the wire and one in the socket's queue. */
const CHUNKS_PER_LANE = 3

interface Lane {
  readonly stream: CopyStream
  queued: number
}

/**
 * COPY streams into one table, filled in turn. The chunks provide the back-pressure: their number
 * is limited, and a chunk is free again when the kernel has taken its bytes.
 */
export class CopyLanes {
  readonly #copy: string
  readonly #lanes: Lane[] = []
  readonly #free: CopyChunk[] = []
  #waiting: PromiseWithResolvers<void> | null = null
  #failure: Error | null = null

  constructor(copy: string) {
    this.#copy = copy
  }

  get count(): number {
    return this.#lanes.length
  }

  get failure(): Error | null {
    return this.#failure
  }

  async add(client: ClientBase): Promise<void> {
    const stream = await CopyStream.open(client, this.#copy)
    stream.done.catch((error: Error) => this.fail(asSinkError(error, 'taking rows')))
    this.#lanes.push({ stream, queued: 0 })
    for (let i = 0; i < CHUNKS_PER_LANE; i++) this.#release(new CopyChunk())
  }

  /** A chunk to fill, or null while the database is behind. */
  take(): CopyChunk | null {
    if (this.#failure !== null) throw this.#failure
    return this.#free.pop() ?? null
  }

  /** Settles when `take` has a chunk; rejects if it never will. */
  async available(): Promise<void> {
    if (this.#failure !== null) throw this.#failure
    if (this.#free.length > 0) return
    this.#waiting ??= Promise.withResolvers()
    await this.#waiting.promise
  }

  /** Sends a filled chunk on the stream with the least to do. */
  send(chunk: CopyChunk): void {
    let lane = this.#lanes[0]!
    for (const other of this.#lanes) if (other.queued < lane.queued) lane = other
    lane.queued++
    lane.stream.send(chunk, () => {
      lane.queued--
      chunk.clear()
      this.#release(chunk)
    })
  }

  /** Ends every COPY; returns the total number of rows that PostgreSQL counted. */
  async finish(): Promise<number> {
    const counts = await Promise.all(this.#lanes.map((lane) => lane.stream.finish()))
    return counts.reduce((sum, rows) => sum + rows, 0)
  }

  /** From now on nobody waits for a chunk in vain. */
  fail(error: Error): void {
    this.#failure ??= error
    this.#waiting?.reject(this.#failure)
    this.#waiting = null
  }

  /** Makes PostgreSQL discard what it was sent; settles when every stream has ended. */
  async abort(reason: Error): Promise<void> {
    this.fail(reason)
    for (const lane of this.#lanes)
      if (lane.stream.failure === null) lane.stream.fail(reason.message)
    await Promise.allSettled(this.#lanes.map((lane) => lane.stream.done))
  }

  /** For a server that does not answer: closes the connections. */
  destroy(): void {
    for (const { stream } of this.#lanes) stream.destroy()
  }

  #release(chunk: CopyChunk): void {
    this.#free.push(chunk)
    this.#waiting?.resolve()
    this.#waiting = null
  }
}
