import { addAbortSignal, pipeline, type Readable } from 'node:stream'

import { CsvError, parse } from 'csv-parse'

import {
  type ByteSource,
  type Engine,
  EngineError,
  type RecordPage,
  type RecordSource,
} from '../../../pipelines/index.ts'
import { textOf } from './rejects-csv.ts'

const ROWS_PER_PAGE = 1000

/**
 * A mended CSV as records without the column of reasons, which the table does not have. How it was
 * saved again is for the engine to find out.
 */
export async function mendedRecords(
  preview: Engine['preview'],
  stored: ByteSource,
  reason: string,
  signal: AbortSignal,
): Promise<RecordSource> {
  const seen = await preview(stored, { format: 'csv' }, { limit: 1, signal })
  const { dialect } = seen.input
  const headers = seen.columns.map(({ name }) => name)
  const kept = headers.flatMap((name, at) => (name === reason ? [] : [{ name, at }]))
  const delimiter = textOf(dialect['delimiter']) ?? ','
  const encoding = textOf(dialect['encoding']) ?? 'utf-8'

  async function* pages(reading: AbortSignal): AsyncGenerator<RecordPage> {
    const rows = openRows(await stored.open(reading), { delimiter, encoding }, reading)
    let records: Record<string, unknown>[] = []
    try {
      let isHeader = true
      let row = 0
      for await (const { record, info } of rows) {
        if (isHeader) isHeader = false
        else records.push(recordOf(record, kept, headers.length, { row: ++row, line: info.lines }))
        if (records.length === ROWS_PER_PAGE) yield { records: records.splice(0) }
      }
    } catch (error) {
      if (!(error instanceof CsvError)) throw error
      throw new EngineError(error.message, { kind: 'structure' }, { cause: error })
    }
    if (records.length > 0) yield { records }
    records = []
  }

  return {
    kind: 'records',
    ...(stored.name !== undefined && { name: stored.name }),
    columns: kept.map(({ name }) => ({ key: name, label: name })),
    pages,
  }
}

interface ParsedRow {
  readonly record: readonly string[]
  /** `lines`: up to the end of the row. */
  readonly info: { readonly lines: number }
}

function openRows(
  bytes: Readable,
  { delimiter, encoding }: { delimiter: string; encoding: string },
  signal: AbortSignal,
): AsyncIterable<ParsedRow> {
  const decoder = new TextDecoder(encoding, { fatal: true })
  const decode = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true })
    yield decoder.decode()
  }
  const parser = parse({ delimiter, relax_column_count: true, skip_empty_lines: true, info: true })
  // A failure reaches whoever reads the rows.
  pipeline(addAbortSignal(signal, bytes), decode, parser, () => undefined)
  return parser
}

function recordOf(
  row: readonly string[],
  kept: readonly { readonly name: string; readonly at: number }[],
  width: number,
  place: { readonly row: number; readonly line: number },
): Record<string, unknown> {
  if (row.length > width) {
    throw new EngineError(
      `Row ${place.row} (line ${place.line}): ${row.length} fields where there are ${width} columns.`,
      { kind: 'structure', ...place },
    )
  }
  return Object.fromEntries(kept.map(({ name, at }) => [name, row[at] ?? null]))
}
