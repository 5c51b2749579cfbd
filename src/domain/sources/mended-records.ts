import { addAbortSignal, pipeline, type Readable } from 'node:stream'

import { CsvError, parse } from 'csv-parse'

import {
  type ByteSource,
  type Engine,
  EngineError,
  type RecordPages,
  type RecordSource,
} from '../../../pipelines/index.ts'
import { invalidField } from '../../errors/index.ts'
import type { Corrections } from './corrections.ts'
import type { AddedHeaders } from './rejects-csv.ts'
import { sourceMessages } from './source-messages.ts'

const ROWS_PER_PAGE = 1000

/** How the file was saved again, as the engine found out. */
interface SavedAgain {
  readonly delimiter: string
  readonly encoding: string
  /** Records up to and including the header. */
  readonly headerEnd: number
  readonly headers: readonly string[]
}

export interface MendedRecords {
  readonly records: RecordSource
  /** False: the rows do not tell which rejects they correct. */
  readonly namesRejects: boolean
}

/** A mended CSV as records without the columns that the table does not have. */
export async function mendedRecords(
  preview: Engine['preview'],
  stored: ByteSource,
  { reason, reject }: AddedHeaders,
  corrections: Corrections,
  signal: AbortSignal,
): Promise<MendedRecords> {
  const layout = await layoutOf(preview, stored, signal)
  const { headers, headerEnd } = layout
  const kept = headers.flatMap((name, at) =>
    name === reason || name === reject ? [] : [{ name, at }],
  )
  const rejectAt = headers.indexOf(reject)

  async function* pages(reading: AbortSignal): RecordPages {
    const rows = openRows(await stored.open(reading), layout, reading)
    const records: Record<string, unknown>[] = []
    const page = (taken: readonly unknown[]) => [Buffer.from(JSON.stringify(taken))]
    corrections.begin()
    try {
      let seen = 0
      for await (const { record, info } of rows) {
        if (++seen <= headerEnd || isBlank(record)) continue
        const place = { row: seen - headerEnd, line: info.lines }
        if (rejectAt !== -1 && !corrections.take(record[rejectAt] ?? '', place)) continue
        records.push(recordOf(record, kept, headers.length, place))
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
  preview: Engine['preview'],
  stored: ByteSource,
  signal: AbortSignal,
): Promise<SavedAgain> {
  const seen = await preview(stored, { format: 'csv', quote: '"' }, { limit: 1, signal }).catch(
    (error: unknown) => {
      throw isOtherFormat(error) ? notCsv(error) : error
    },
  )
  const { layout, encoding = 'utf-8' } = seen.input
  if (layout.kind !== 'fields') throw new Error('A CSV is laid out in fields')
  const isFound = encoding !== 'utf-8' || (await isUtf8(await stored.open(signal)))
  return {
    delimiter: layout.delimiter ?? ',',
    encoding: isFound ? encoding : 'windows-1252',
    headerEnd: layout.headerEnd,
    headers: seen.columns.map(({ name }) => name),
  }
}

/** The format is ours, and not an option of whoever sent the file. */
const isOtherFormat = (error: unknown): boolean =>
  error instanceof EngineError &&
  error.problem.kind === 'options' &&
  error.problem.pointer === '/format'

function notCsv(cause: unknown) {
  return invalidField('/file', sourceMessages.notCsv(), cause)
}

/** To the end: a preview looks at the beginning alone. */
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
  /** `lines`: up to the end of the row. */
  readonly info: { readonly lines: number }
}

function openRows(
  bytes: Readable,
  { delimiter, encoding }: SavedAgain,
  signal: AbortSignal,
): AsyncIterable<ParsedRow> {
  const decoder = new TextDecoder(encoding, { fatal: true })
  const decode = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true })
    yield decoder.decode()
  }
  const parser = parse({ delimiter, relax_column_count: true, info: true })
  // A failure reaches whoever reads the rows.
  pipeline(addAbortSignal(signal, bytes), decode, parser, () => undefined)
  return parser
}

const isBlank = (record: readonly string[]) => record.every((field) => field.trim() === '')

function recordOf(
  row: readonly string[],
  kept: readonly { readonly name: string; readonly at: number }[],
  width: number,
  place: { readonly row: number; readonly line: number },
): Record<string, unknown> {
  if (row.length > width) {
    throw new EngineError(
      sourceMessages.wideRow({ ...place, fields: row.length, columns: width }),
      { kind: 'structure', ...place },
    )
  }
  return Object.fromEntries(kept.map(({ name, at }) => [name, row[at] ?? null]))
}
