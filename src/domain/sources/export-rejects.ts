import type { Writable } from 'node:stream'

import type { ClientBase } from 'pg'

import type { LoadReport, StoredMessage } from '../../../pipelines/index.ts'
import { csvLine } from '../../stack/export/csv.ts'
import { exportStream, writeTo } from '../../stack/export/export-stream.ts'
import { writeWorkbook } from '../../stack/export/xlsx.ts'
import type { TableState } from '../../stack/read/snapshot.ts'
import { inSnapshot } from './in-snapshot.ts'
import {
  rejectBatches,
  layoutOf,
  rejectCells,
  rejectHeaders,
  type RejectLayout,
} from './read-rejects.ts'
import type { Source } from './source.ts'
import type { TableAccess, RejectsFormat, Finders, ExportedData } from './sources.ts'
import type { Actor } from '../actor.ts'

type Rows = AsyncGenerator<readonly (readonly string[])[]>

type Write = (
  source: Source,
  state: TableState,
  rows: Rows,
  out: Writable,
  signal: AbortSignal,
) => Promise<void>

const FORMATS: Readonly<Record<RejectsFormat, { contentType: string; write: Write }>> = {
  csv: { contentType: 'text/csv; charset=utf-8', write: writeCsv },
  xlsx: {
    contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    write: writeXlsx,
  },
}

/** Streams the rejects, in one state, as a table to correct and send again. */
export function exportRejects(exports: TableAccess, find: Finders['find']) {
  return async (
    actor: Actor,
    uuid: string,
    format: RejectsFormat,
    tell: (message: string | StoredMessage) => string,
    signal: AbortSignal,
  ): Promise<ExportedData> => {
    const found = await find(actor, uuid)
    const { contentType, write } = FORMATS[format]
    const stream = await exportStream(
      (out, begun, stop) =>
        inSnapshot(exports, found, async (client, state) => {
          begun()
          await write(found, state, rejectRows(client, found, state, tell), out, stop)
        }),
      signal,
    )
    return { stream, contentType, filename: `${found.name}-rejects.${format}` }
  }
}

async function* rejectRows(
  client: ClientBase,
  source: Source,
  state: TableState,
  tell: (message: string | StoredMessage) => string,
): Rows {
  const layouts = await rejectLayouts(client, source)
  for await (const rejects of rejectBatches(client, source, state)) {
    yield rejects.map((reject) => rejectCells(state, layouts.get(reject.load)!, reject, tell))
  }
}

/** As it was read, so that it can be corrected and sent again. */
const lineOf = (cells: readonly string[]): string => csvLine(cells, { raw: true })

async function writeCsv(
  _source: Source,
  state: TableState,
  rows: Rows,
  out: Writable,
  signal: AbortSignal,
): Promise<void> {
  await writeTo(out, lineOf(rejectHeaders(state)), signal)
  for await (const batch of rows) await writeTo(out, batch.map(lineOf).join(''), signal)
}

/** Every cell is text, since a rejected value is shown as it was written. */
async function writeXlsx(
  { name }: Source,
  state: TableState,
  rows: Rows,
  out: Writable,
  signal: AbortSignal,
): Promise<void> {
  const columns = rejectHeaders(state).map((header) => ({ name: header, sqlType: 'text' as const }))
  await writeWorkbook({ columns, rowCount: state.rejectedCount, title: name }, rows, out, signal)
}

/** The layout that each load of the source found, in the snapshot that shows its rejects. */
async function rejectLayouts(
  client: ClientBase,
  { tableId }: Source,
): Promise<ReadonlyMap<number, RejectLayout>> {
  const { rows } = await client.query<{ id: number; report: LoadReport }>(
    `select id, report from loads
     where table_id = $1 and rows_rejected > 0 and state = 'current'`,
    [tableId],
  )
  return new Map(rows.map((load) => [load.id, layoutOf(load.report)]))
}
