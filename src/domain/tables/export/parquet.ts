import type { Writable } from 'node:stream'

import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import type { ClientBase } from 'pg'

import { copiedTexts } from '../bounded-rows.ts'
import { ROW } from '../row-numbers.ts'
import { fromState, type TableState } from '../table-state.ts'
import { writeTo } from './export-stream.ts'
import { type ParquetColumn, type ParquetValue, parquetColumns } from './parquet-columns.ts'

/** Of a row group, whichever is reached first: it is held, and written in one go. */
const MOST_CELLS = 64_000
const MOST_CHARACTERS = 2 * 1024 * 1024

/** The types of the table, in row groups; no more than one of them is held. */
export async function writeParquet(
  client: ClientBase,
  state: TableState,
  out: Writable,
  signal: AbortSignal,
): Promise<void> {
  const columns = await parquetColumns(client, state)
  const bytes = new ByteWriter()
  const root = { name: 'table', num_children: columns.length }
  const file = new ParquetWriter({
    writer: bytes,
    schema: [root, ...columns.map(({ written }) => written)],
    createdBy: 'administration-service',
  })
  const passOn = async () => {
    // A copy: the next row group is written into the same bytes.
    const chunk = Buffer.from(bytes.getBytes())
    bytes.index = 0
    await writeTo(out, chunk, signal)
  }
  for await (const columnData of rowGroups(client, state, columns, signal)) {
    await file.write({ columnData, rowGroupSize: MOST_CELLS })
    await passOn()
  }
  file.schema = [root, ...columns.map(({ told }) => told)]
  await file.finish()
  await passOn()
}

interface ColumnData {
  readonly name: string
  readonly data: ParquetValue[]
  readonly offsetIndex: false
  readonly statistics: boolean
}

async function* rowGroups(
  client: ClientBase,
  state: TableState,
  columns: readonly ParquetColumn[],
  signal: AbortSignal,
): AsyncGenerator<ColumnData[]> {
  const begin = () =>
    columns.map(({ written, statistics }): ColumnData => {
      return { name: written.name, data: [], offsetIndex: false, statistics }
    })
  const values = columns.map(({ value }) => value).join(', ')
  const select = `select ${values} ${fromState(state)} order by ${ROW}`
  const mostRows = Math.ceil(MOST_CELLS / columns.length)
  let group = begin()
  let rows = 0
  let characters = 0
  for await (const batch of copiedTexts(client, select, signal)) {
    for (const row of batch) {
      for (const [at, text] of row.entries()) {
        group[at]!.data.push(text === null ? null : columns[at]!.read(text))
        characters += text?.length ?? 0
      }
      if (++rows < mostRows && characters < MOST_CHARACTERS) continue
      yield group
      group = begin()
      rows = 0
      characters = 0
    }
  }
  if (rows > 0) yield group
}
