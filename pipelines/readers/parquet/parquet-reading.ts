import { setImmediate as nextTurn } from 'node:timers/promises'

import { MiB } from '../../core/mebibyte.ts'
import { type Batch, NULL_CELL } from '../../core/batch.ts'
import type { InputStretches } from '../../core/input.ts'
import type { Message } from '../../core/message.ts'
import { textBytes } from '../../core/row-stretch.ts'
import type { Findings, Learned, ReadContext, Reading, StatedType } from '../../core/reader.ts'
import { ByteSink } from '../byte-sink.ts'
import { RAW_FIELDS, rawFields } from '../raw-fields.ts'
import { damagedFile, guarded } from './file/damaged-file.ts'
import type { FileMetadata, RowGroup } from './file/file-metadata.ts'
import type { Leaf, TopColumn } from './file/schema-tree.ts'
import { ChunkPages } from './pages/chunk-pages.ts'
import { FlatColumn } from './rows/flat-column.ts'
import { LeafCursor } from './rows/leaf-cursor.ts'
import { NestedColumn } from './rows/nested-column.ts'
import type { ReadColumn } from './rows/table-column.ts'
import { parquetMessages } from './messages/parquet-messages.ts'

const MOST_ROWS = 8192
const MOST_CELLS = 128 * 1024
const MOST_BYTES = 2 * MiB
/** What a row takes in a table besides its values: a run of a few bytes makes millions of them. */
const ROW_BYTES = 32
/** Small row groups are fetched together, up to this size. */
const MOST_BROUGHT_BYTES = 16 * MiB

/** Reads one row group after another, and of each leaf one page at a time. */
export class ParquetReading implements Reading {
  readonly reader = 'parquet'
  readonly headers: readonly string[]
  readonly headersGrow = false
  readonly layout = { ...RAW_FIELDS, headerEnd: 0 }
  readonly #file: InputStretches
  readonly #metadata: FileMetadata
  readonly #context: ReadContext
  readonly #columns: readonly ReadColumn[]
  readonly #leaves: readonly Leaf[]
  readonly #memory = new WeakMap<Batch, BatchMemory>()
  readonly #spare: BatchMemory[] = []
  #group = -1
  #groupRows = 0
  /** The groups before this one are in memory. */
  #groupsBrought = 0
  #rowsRead = 0
  /** How many columns were texts for their years when the types were decided; null before that. */
  #textsDecided: number | null = null

  constructor(
    file: InputStretches,
    metadata: FileMetadata,
    columns: readonly TopColumn[],
    context: ReadContext,
  ) {
    this.#file = file
    this.#metadata = metadata
    this.#context = context
    const { timezone = 'UTC' } = context.options
    const isUtc = timezone === 'UTC'
    const texts = context.learned?.texts ?? []
    this.#columns = columns.map((column, at) =>
      column.isFlat
        ? new FlatColumn(column, isUtc, texts.includes(at))
        : new NestedColumn(column, context.limits.cellBytes),
    )
    this.#leaves = columns.flatMap(({ leaves }) => leaves)
    this.headers = this.#columns.map(({ name }) => name)
  }

  get stated(): readonly StatedType[] {
    return this.#columns.map(({ stated }) => stated)
  }

  /** A year that no date holds, met after the types were decided, takes one more pass. */
  get misjudged(): Learned | null {
    const texts = this.#beyondYears()
    return this.#textsDecided === null || texts.length === this.#textsDecided ? null : { texts }
  }

  settle(mayHoldValues: readonly boolean[]): void {
    this.#textsDecided = this.#beyondYears().length
    for (const [at, column] of this.#columns.entries()) if (mayHoldValues[at]) column.giveValues()
  }

  #beyondYears(): number[] {
    return [...this.#columns.keys()].filter((at) => this.#columns[at]!.isBeyondYears)
  }

  async next(): Promise<Batch | null> {
    for (;;) {
      // A page or a batch takes little time, but many in a row would block everything else.
      await nextTurn()
      this.#context.signal.throwIfAborted()
      if (this.#groupRows === 0 && !(await this.#beginGroup())) return null
      if (this.#groupRows > 0) return await this.#batch()
    }
  }

  rawRow(batch: Batch, row: number): string {
    return rawFields(batch, row)
  }

  place(): null {
    return null
  }

  describe(): Findings {
    const { rows, rowGroups, createdBy } = this.#metadata
    const notANumber = this.#columns.reduce((sum, column) => sum + column.notANumber, 0)
    return {
      dialect: { rows, rowGroups: rowGroups.length, createdBy },
      repaired: { notANumber },
      warnings: this.#columns
        .filter(({ isBeyondYears }) => isBeyondYears)
        .map(({ name }) => ({
          code: 'dates-beyond-years',
          message: parquetMessages.beyondYears({ column: name }),
          column: name,
        })),
    }
  }

  /** Estimated by rows, since their positions in the file say little here. */
  get bytesRead(): number {
    const { rows } = this.#metadata
    const { sourceBytes } = this.#file
    if (this.#rowsRead === rows) return sourceBytes
    return Math.floor((this.#rowsRead / rows) * sourceBytes)
  }

  /** False after the last one. */
  async #beginGroup(): Promise<boolean> {
    this.#group += 1
    const group = this.#metadata.rowGroups[this.#group]
    if (group === undefined) return false
    await this.#bringGroups()
    this.#groupRows = group.rows
    this.#context.expansion.count(ROW_BYTES * group.rows)
    const cursors = this.#cursors(group)
    for (const column of this.#columns) column.begin(cursors)
    return true
  }

  /** Together with those that follow, as long as they are small. */
  async #bringGroups(): Promise<void> {
    if (this.#group < this.#groupsBrought) return
    const { rowGroups } = this.#metadata
    let { from, to } = stretchOf(rowGroups[this.#group]!)
    let next = this.#group + 1
    for (; next < rowGroups.length; next++) {
      const more = stretchOf(rowGroups[next]!)
      const [first, last] = [Math.min(from, more.from), Math.max(to, more.to)]
      if (last - first > MOST_BROUGHT_BYTES) break
      ;[from, to] = [first, last]
    }
    this.#groupsBrought = next
    await this.#file.bring(from, to)
  }

  #cursors({ rows, chunks }: RowGroup): LeafCursor[] {
    if (chunks.length > this.#leaves.length) throw damagedFile(parquetMessages.otherColumns())
    const { expansion, limits } = this.#context
    const bounds = { pageBytes: 2 * limits.cellBytes, expansion }
    return this.#leaves.map((leaf) => {
      const chunk = chunks[leaf.index]
      if (chunk === undefined) throw damagedFile(parquetMessages.lacksColumns())
      if (chunk.type !== leaf.type) throw damagedFile(parquetMessages.otherColumns())
      if (leaf.repetition === 0 && chunk.values !== rows) {
        throw faultOf(leaf.path.join('.'), parquetMessages.otherValues())
      }
      return new LeafCursor(leaf, new ChunkPages(this.#file, chunk, leaf, bounds))
    })
  }

  async #batch(): Promise<Batch> {
    let rows = this.#groupRows
    const width = this.#columns.length
    const mostBytes = Math.ceil(MOST_BYTES / width)
    rows = Math.min(rows, MOST_ROWS, Math.max(1, Math.floor(MOST_CELLS / width)))
    for (const column of this.#columns) {
      const isThere = await column.fill()
      if (!isThere) throw faultOf(column.name, parquetMessages.fewValues())
      rows = Math.min(
        rows,
        guarded(parquetMessages.column({ column: column.name }), () => column.rowsReady(mostBytes)),
      )
    }
    const batch = this.#write(rows)
    this.#groupRows -= rows
    this.#rowsRead += rows
    if (this.#groupRows === 0) await this.#endGroup()
    return batch
  }

  /** What is left of a column then belongs to no row. */
  async #endGroup(): Promise<void> {
    for (const column of this.#columns) {
      if (!(await column.isOver())) throw faultOf(column.name, parquetMessages.manyValues())
    }
  }

  #write(rows: number): Batch {
    const width = this.#columns.length
    const memory = this.#takeMemory(rows * width)
    const { out } = memory
    const start = memory.start.subarray(0, rows * width)
    const end = memory.end.subarray(0, rows * width).fill(NULL_CELL)
    const kinds = memory.kinds.subarray(0, rows * width)
    for (const [first, column] of this.#columns.entries()) {
      guarded(parquetMessages.column({ column: column.name }), () =>
        column.write({ first, step: width, rows, start, end, kinds }, out),
      )
    }
    const batch: Batch = {
      bytes: out.bytes.subarray(0, out.length),
      start,
      end,
      kinds,
      width,
      rows,
      firstRow: this.#rowsRead + 1,
      lines: null,
      faults: [],
    }
    this.#memory.set(batch, memory)
    this.#context.expansion.count(textBytes(batch))
    return batch
  }

  recycle(batch: Batch): void {
    const memory = this.#memory.get(batch)
    if (memory !== undefined && this.#spare.length < MOST_SPARE) this.#spare.push(memory)
    this.#memory.delete(batch)
  }

  /** For at least this many cells. */
  #takeMemory(cells: number): BatchMemory {
    const spare = this.#spare.pop()
    const out = spare?.out.emptied() ?? new ByteSink()
    if (spare !== undefined && spare.end.length >= cells) return spare
    return {
      out,
      start: new Int32Array(cells),
      end: new Int32Array(cells),
      kinds: new Uint8Array(cells),
    }
  }
}

/** The memory of a batch; that of a returned batch is used again. */
interface BatchMemory {
  readonly out: ByteSink
  readonly start: Int32Array
  readonly end: Int32Array
  readonly kinds: Uint8Array
}

const MOST_SPARE = 2

const faultOf = (column: string, fault: Message): Error =>
  damagedFile(parquetMessages.columnFault({ column, fault }))

function stretchOf({ chunks }: RowGroup): { from: number; to: number } {
  let from = Infinity
  let to = 0
  for (const chunk of chunks) {
    from = Math.min(from, chunk.from)
    to = Math.max(to, chunk.from + chunk.bytes + chunk.slack)
  }
  return { from: Math.min(from, to), to }
}
