import type { CellKind } from '../../core/batch.ts'
import type { ByteSink } from '../byte-sink.ts'
import type { Message } from '../../core/message.ts'

/** Receives the cells of a row while it is read, as positions in the window or in `made`. */
export interface CellSink {
  /** For text that has to be rewritten: unescaped strings, canonical JSON. */
  readonly made: ByteSink
  /** Whether a key that no earlier row had may still become a column. */
  readonly takesNewKeys: boolean
  widen(width: number): void
  /** A cell that is in the window. */
  found(column: number, from: number, to: number, kind: CellKind): void
  /** A cell that was written to `made`, from `from` to its end. */
  finished(column: number, from: number, kind: CellKind): void
  /** Of duplicate keys the last one counts, so a null can replace a value. */
  empty(column: number): void
  /** The current row is broken; the first reason is the one that is reported. */
  fault(message: Message): void
}
