import { DEFAULT_LIMITS, type RecordPage, type RecordSource } from '../../pipelines/index.ts'
import { SpareMemory } from '../../pipelines/readers/json/batch-memory.ts'
import { createPageReader } from '../../pipelines/readers/records/page-reader.ts'
import type { PageRows } from '../../pipelines/readers/records/page-rows.ts'
import { RecordColumns } from '../../pipelines/readers/records/record-columns.ts'
import { rowAsJson } from '../../pipelines/readers/records/row-as-json.ts'
import { rowsAsBatch } from '../../pipelines/readers/records/rows-as-batch.ts'

export type PlainRecord = Readonly<Record<string, unknown>>

export interface PlainPage extends Pick<RecordPage, 'total'> {
  readonly records: readonly PlainRecord[]
}

/** The pages of a source as the engine reads them, their records as objects without nulls. */
export async function* plainPages(
  { pages }: Pick<RecordSource, 'pages'>,
  signal: AbortSignal,
): AsyncGenerator<PlainPage, void, undefined> {
  const columns = new RecordColumns([], DEFAULT_LIMITS)
  const { read } = createPageReader(columns.keys, DEFAULT_LIMITS)
  for await (const { rows, ...rest } of pages(signal, read)) {
    yield { ...rest, records: recordsOf(rows as PageRows, columns) }
  }
}

function recordsOf(page: PageRows, columns: RecordColumns): PlainRecord[] {
  const { count } = page
  if (count === 0) return []
  columns.admit(page.keys)
  const spare = new SpareMemory()
  const batch = rowsAsBatch(page, { first: 0, count }, columns, { firstRow: 1, spare })
  return Array.from(
    { length: count },
    (_, row) => JSON.parse(rowAsJson(batch, row, columns.names)) as PlainRecord,
  )
}
