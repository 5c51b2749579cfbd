import type { CellKind } from '../../core/batch.ts'
import type { ByteSink } from '../byte-sink.ts'
import type { Message } from '../../core/message.ts'

/** Where the cells of a row go while it is read: places in the window, or in `made`. */
export interface CellSink {
  /** For text that has to be written anew: unescaped strings, canonical JSON. */
  readonly made: ByteSink
  /** Whether a key that no row held before may become a column now. */
  readonly takesNewKeys: boolean
  widen(width: number): void
  /** A cell that stands in the window. */
  found(column: number, from: number, to: number, kind: CellKind): void
  /** A cell that was written to `made`, from `from` to its end. */
  finished(column: number, from: number, kind: CellKind): void
  /** Of duplicate keys the last wins, so a null can come upon a value. */
  empty(column: number): void
  /** The row under way is broken; the first reason is the one that is told. */
  fault(message: Message): void
}
