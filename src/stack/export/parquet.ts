import { addAbortSignal, type Writable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'

import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import type { ClientBase } from 'pg'

import { copyOut } from '../../db/copy-out.ts'
import { fromStateInOrder, type TableState } from '../read/snapshot.ts'
import { CopiedRowParser, readCells } from './copied-rows.ts'
import { writeTo } from './export-stream.ts'
import { ChunkTools, writeChunk } from './parquet-chunk.ts'
import { type ParquetColumn, parquetColumns } from './parquet-columns.ts'
import { ParquetValues, viewOf } from './parquet-values.ts'

/** The limits of a row group, whichever is reached first: it is held until all of its columns are written. */
const MOST_ROWS = 65_536
const MOST_BYTES = 4 * 1024 * 1024

/** Keeps the types of the table. Written in row groups, only one of which is held. */
export async function writeParquet(
  client: ClientBase,
  state: TableState,
  out: Writable,
  signal: AbortSignal,
): Promise<void> {
  const columns = await parquetColumns(client, state)
  const bytes = new ByteWriter()
  const tools = new ChunkTools()
  const file = new ParquetWriter({
    writer: bytes,
    schema: [
      { name: 'table', num_children: columns.length },
      ...columns.map(({ element }) => element),
    ],
    createdBy: 'administration-service',
  })
  const passOn = async () => {
    // A copy, since the same bytes are overwritten next.
    const chunk = Buffer.from(bytes.getBytes())
    bytes.index = 0
    await writeTo(out, chunk, signal)
  }
  for await (const group of rowGroups(client, state, columns, signal)) {
    const from = bytes.offset
    const chunks = []
    for (const [at, { element }] of columns.entries()) {
      chunks.push(writeChunk(bytes, element, group[at]!, tools))
      await passOn()
      // Writing all columns in one go would block everything else.
      await nextTurn()
    }
    const rows = BigInt(group[0]!.rows)
    file.row_groups.push({
      columns: chunks,
      num_rows: rows,
      total_byte_size: chunks.reduce(
        (sum, { meta_data }) => sum + meta_data!.total_uncompressed_size,
        0n,
      ),
      total_compressed_size: BigInt(bytes.offset - from),
    })
    file.num_rows += rows
  }
  await file.finish()
  await passOn()
}

/** Every group uses the same memory. */
async function* rowGroups(
  client: ClientBase,
  state: TableState,
  columns: readonly ParquetColumn[],
  signal: AbortSignal,
): AsyncGenerator<readonly ParquetValues[]> {
  const group = columns.map(() => new ParquetValues())
  const values = columns.map(({ value }) => value).join(', ')
  const select = `select ${values} ${fromStateInOrder(state)}`
  const copy = copyOut(client, `copy (${select}) to stdout (format binary)`)
  const parser = new CopiedRowParser()
  let rows = 0
  let held = 0
  for await (const piece of addAbortSignal(signal, copy)) {
    for (const bytes of parser.takeBytes(piece)) {
      const view = viewOf(bytes)
      const append = (cell: number, from: number, length: number) => {
        if (length >= 0) columns[cell]!.append(group[cell]!, view, from, length)
        group[cell]!.endRow(length >= 0)
      }
      for (let at = 0; at < bytes.length;) {
        const end = readCells(view, at, append)
        held += end - at
        at = end
        if (++rows < MOST_ROWS && held < MOST_BYTES) continue
        yield group
        for (const column of group) column.clear()
        rows = 0
        held = 0
      }
    }
  }
  if (rows > 0) yield group
}
