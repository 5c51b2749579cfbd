import { addAbortSignal, pipeline, type Readable } from 'node:stream'

import type { ClientBase } from 'pg'
import { CsvError, parse } from 'csv-parse'

import { invalidField } from '../../errors/index.ts'
import type { TableKey } from '../../stack/table/partitions.ts'
import { readRejectIds } from '../../stack/fill/rejects.ts'
import { sourceMessages } from './source-messages.ts'
import {
  type ByteSource,
  EngineError,
  type ReadRow,
  type RecordPages,
  type RecordSource,
} from '../../../pipelines/index.ts'
import type { Ingest } from '../ingest/ingest.ts'
import { jsonObjectWriter } from '../../stack/read/json-rows.ts'
import type { AddedHeaders } from './read-rejects.ts'

interface Place {
  readonly row: number
  readonly line: number
}

/** Which rejects the rows of a file correct: one bit for each reject, however many there are. */
export class Corrections {
  readonly #open: Bits
  readonly #settled: Bits
  #sent = new Bits()
  #leftOut = 0

  private constructor(open: Bits, settled: Bits) {
    this.#open = open
    this.#settled = settled
  }

  /** As the table has them now; the caller must hold its lease. */
  static async read(client: ClientBase, table: TableKey): Promise<Corrections> {
    const open = new Bits()
    const settled = new Bits()
    for await (const rejects of readRejectIds(client, table)) {
      for (const reject of rejects) (reject.open ? open : settled).add(reject.id)
    }
    return new Corrections(open, settled)
  }

  /** Called when the file is read from its beginning, which happens again if a load starts over. */
  begin(): void {
    this.#sent = new Bits()
    this.#leftOut = 0
  }

  /**
   * Whether the row is loaded: not if its reject was corrected before. A row without a number is a
   * new one.
   */
  take(id: string, place: Place): boolean {
    const text = id.trim()
    if (text === '') return true
    const number = /^\d{1,15}$/.test(text) ? Number(text) : 0
    if (this.#settled.has(number)) {
      this.#leftOut++
      return false
    }
    if (!this.#open.has(number)) throw unknownReject(text, place)
    this.#sent.add(number)
    return true
  }

  /** Rows whose rejects had been corrected before. */
  get leftOut(): number {
    return this.#leftOut
  }

  /** The rejects that the rows of the file stand for, as ranges of numbers. */
  sent(): Iterable<readonly [from: number, to: number]> {
    return this.#sent.ranges()
  }
}

function unknownReject(id: string, { row, line }: Place) {
  return invalidField('/file', sourceMessages.unknownReject({ id, row, line }))
}

const BITS = 8

/** A set of numbers that lie close together. */
class Bits {
  #bytes = new Uint8Array(1024)

  add(number: number): void {
    const at = Math.floor(number / BITS)
    if (at >= this.#bytes.length) {
      const larger = new Uint8Array(Math.max(at + 1, this.#bytes.length * 2))
      larger.set(this.#bytes)
      this.#bytes = larger
    }
    this.#bytes[at]! |= 1 << (number % BITS)
  }

  has(number: number): boolean {
    const byte = this.#bytes[Math.floor(number / BITS)]
    return byte !== undefined && (byte & (1 << (number % BITS))) !== 0
  }

  *ranges(): Generator<readonly [from: number, to: number]> {
    const end = this.#bytes.length * BITS
    let from: number | null = null
    for (let number = 0; number <= end; number++) {
      const isIn = number < end && this.has(number)
      if (isIn) from ??= number
      else if (from !== null) {
        yield [from, number - 1]
        from = null
      }
    }
  }
}

const ROWS_PER_PAGE = 1000

type Reader = Pick<Ingest, 'preview' | 'readCells'>

/** How the corrected file was saved, as the engine detected it. */
type SavedAgain = SavedCsv | SavedWorkbook

interface SavedCsv {
  readonly kind: 'csv'
  readonly delimiter: string
  readonly encoding: string
  /** How many records there are up to and including the header. */
  readonly headerEnd: number
  readonly headers: readonly string[]
}

interface SavedWorkbook {
  readonly kind: 'workbook'
  readonly headers: readonly string[]
}

/**
 * A workbook has the layout of the download: nothing above the header, and everything at the end
 * is a row.
 */
const WORKBOOK = { format: 'excel', headerRow: 1, notes: 'load' } as const

interface CorrectedRecords {
  readonly records: RecordSource
  /** False: the rows do not say which rejects they correct. */
  readonly namesRejects: boolean
}

/** Reads a corrected CSV or workbook as records, without the columns that only the download has. */
export async function correctedRecords(
  reader: Reader,
  stored: ByteSource,
  { reason, reject }: AddedHeaders,
  corrections: Corrections,
  signal: AbortSignal,
): Promise<CorrectedRecords> {
  const layout = await layoutOf(reader, stored, signal)
  const { headers } = layout
  const kept = headers.flatMap((name, at) =>
    name === reason || name === reject ? [] : [{ name, at }],
  )
  const rejectAt = headers.indexOf(reject)
  const write = jsonObjectWriter(kept.map(({ name }) => name))

  async function* pages(reading: AbortSignal): RecordPages {
    const rows =
      layout.kind === 'csv'
        ? csvRows(await stored.open(reading), layout, reading)
        : workbookRows(reader, stored, reading)
    const records: string[] = []
    const page = (taken: readonly string[]) => [Buffer.from(`[${taken.join(',')}]`)]
    corrections.begin()
    try {
      for await (const { cells, ...place } of rows) {
        if (isBlank(cells)) continue
        if (rejectAt !== -1 && !corrections.take(cells[rejectAt]?.text ?? '', place)) continue
        refuseWideRow(cells, headers.length, place)
        records.push(write(kept.map(({ at }) => jsonOf(cells[at]))))
        if (records.length === ROWS_PER_PAGE) yield page(records.splice(0))
      }
    } catch (error) {
      if (!(error instanceof CsvError)) throw error
      const line = Number(error['lines'] ?? 1)
      const text = sourceMessages.brokenCsv({ line })
      throw new EngineError(text, { kind: 'structure', line }, { cause: error })
    }
    if (records.length > 0) yield page(records)
  }

  const records: RecordSource = {
    kind: 'records',
    ...(stored.name !== undefined && { name: stored.name }),
    columns: kept.map(({ name }) => ({ key: name, label: name })),
    pages,
  }
  return { records, namesRejects: rejectAt !== -1 }
}

async function layoutOf(
  reader: Reader,
  stored: ByteSource,
  signal: AbortSignal,
): Promise<SavedAgain> {
  try {
    return await csvLayout(reader, stored, signal)
  } catch (error) {
    if (!isOtherFormat(error)) throw error
  }
  const shown = await reader
    .preview(stored, WORKBOOK, { limit: 0, signal })
    .catch((error: unknown) => {
      throw isOtherFormat(error) ? notCsv(error) : error
    })
  return { kind: 'workbook', headers: shown.columns.map(({ name }) => name) }
}

async function csvLayout(
  { preview }: Reader,
  stored: ByteSource,
  signal: AbortSignal,
): Promise<SavedCsv> {
  const seen = await preview(stored, { format: 'csv', quote: '"' }, { limit: 0, signal })
  const { layout, encoding = 'utf-8' } = seen.input
  if (layout.kind !== 'fields') throw new Error('A CSV is laid out in fields')
  const isFound = encoding !== 'utf-8' || (await isUtf8(await stored.open(signal)))
  return {
    kind: 'csv',
    delimiter: layout.delimiter ?? ',',
    encoding: isFound ? encoding : 'windows-1252',
    headerEnd: layout.headerEnd,
    headers: seen.columns.map(({ name }) => name),
  }
}

/** The service chose the format, so an error about that option must not reach the sender of the file. */
const isOtherFormat = (error: unknown): boolean =>
  error instanceof EngineError &&
  error.problem.kind === 'options' &&
  error.problem.pointer === '/format'

function notCsv(cause: unknown) {
  return invalidField('/file', sourceMessages.notCsv(), cause)
}

/** Reads to the end, since a preview looks only at the beginning. */
async function isUtf8(bytes: Readable): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const chunk of bytes) decoder.decode(chunk as Buffer, { stream: true })
    decoder.decode()
    return true
  } catch (error) {
    if (error instanceof TypeError) return false
    throw error
  }
}

interface ParsedRow {
  readonly record: readonly string[]
  /** `lines`: the number of lines up to the end of the row. */
  readonly info: { readonly lines: number }
}

async function* csvRows(
  bytes: Readable,
  layout: SavedCsv,
  signal: AbortSignal,
): AsyncGenerator<ReadRow> {
  let row = -layout.headerEnd
  for await (const { record, info } of parsedRows(bytes, layout, signal)) {
    if (++row < 1) continue
    yield { row, line: info.lines, cells: record.map((text) => ({ text, isNumber: false })) }
  }
}

async function* workbookRows(
  { readCells }: Reader,
  stored: ByteSource,
  signal: AbortSignal,
): AsyncGenerator<ReadRow> {
  for await (const rows of readCells(stored, WORKBOOK, signal)) yield* rows
}

function parsedRows(
  bytes: Readable,
  { delimiter, encoding }: SavedCsv,
  signal: AbortSignal,
): AsyncIterable<ParsedRow> {
  const decoder = new TextDecoder(encoding, { fatal: true })
  const decode = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true })
    yield decoder.decode()
  }
  const parser = parse({ delimiter, relax_column_count: true, info: true })
  // A failure is reported to the reader of the rows.
  pipeline(addAbortSignal(signal, bytes), decode, parser, () => undefined)
  return parser
}

const isBlank = (cells: ReadRow['cells']) => cells.every(({ text }) => (text ?? '').trim() === '')

function refuseWideRow(
  cells: ReadRow['cells'],
  width: number,
  place: { readonly row: number; readonly line: number },
): void {
  if (cells.length <= width) return
  throw new EngineError(
    sourceMessages.wideRow({ ...place, fields: cells.length, columns: width }),
    { kind: 'structure', ...place },
  )
}

/** A number as it is written in JSON, with every digit. */
function jsonOf(cell: ReadRow['cells'][number] | undefined): string | null {
  const text = cell?.text ?? null
  if (text === null) return null
  return cell?.isNumber === true && JSON_NUMBER.test(text) ? text : JSON.stringify(text)
}

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i
