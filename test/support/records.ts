import { DEFAULT_LIMITS, type RecordSource } from '../../pipelines/index.ts'
import { SpareMemory } from '../../pipelines/readers/json/batch-memory.ts'
import { PageReader } from '../../pipelines/readers/records/page-reader.ts'
import type { PageRows } from '../../pipelines/readers/records/page-rows.ts'
import { RecordColumns } from '../../pipelines/readers/records/record-columns.ts'
import { rowAsJson } from '../../pipelines/readers/records/row-as-json.ts'
import { rowsAsBatch } from '../../pipelines/readers/records/rows-as-batch.ts'

type PlainRecord = Readonly<Record<string, unknown>>

interface PlainPage {
  readonly records: readonly PlainRecord[]
}

/** The pages of a source as the engine reads them, their records as objects without nulls. */
export async function* plainPages(
  { pages, shape = {} }: Pick<RecordSource, 'pages' | 'shape'>,
  signal: AbortSignal,
): AsyncGenerator<PlainPage, void, undefined> {
  const columns = new RecordColumns([], DEFAULT_LIMITS)
  const reader = new PageReader(shape, columns.keys, DEFAULT_LIMITS)
  const given = pages(signal)
  try {
    let next = await given.next()
    while (next.done !== true) {
      const { rows, beside } = await reader.read(next.value).catch(async (error: unknown) => {
        await given.throw(error)
        throw error
      })
      yield { records: recordsOf(rows, columns) }
      next = await given.next({ rows: rows.count, beside })
    }
  } finally {
    await given.return()
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
