import type { Writable } from 'node:stream'

import type { ClientBase, Pool } from 'pg'

import { writeCsv } from '../tables/export/csv.ts'
import { exportStream } from '../tables/export/export-stream.ts'
import { writeNdjson } from '../tables/export/ndjson.ts'
import { writeXlsx } from '../tables/export/xlsx.ts'
import type { TableName } from '../tables/table-name.ts'
import { inSnapshot, type Shape } from './read-data.ts'
import { tableOf } from './source.ts'
import type { ExportFormat, ExportQuery, Sources } from './sources.ts'

type Write = (
  client: ClientBase,
  table: TableName,
  shape: Shape,
  query: ExportQuery,
  out: Writable,
  signal: AbortSignal,
) => Promise<void>

const FORMATS: Readonly<Record<ExportFormat, { contentType: string; write: Write }>> = {
  csv: {
    contentType: 'text/csv; charset=utf-8',
    write: (client, table, { columns }, query, out, signal) =>
      writeCsv(client, table, columns, query, out, signal),
  },
  ndjson: {
    contentType: 'application/x-ndjson; charset=utf-8',
    write: (client, table, { columns }, _query, out, signal) =>
      writeNdjson(client, table, columns, out, signal),
  },
  xlsx: {
    contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    write: (client, table, { columns, rowCount }, _query, out, signal) =>
      writeXlsx(client, table, columns, rowCount, out, signal),
  },
}

/** One state of the table, streamed; nothing of it is held but what the client is behind with. */
export function exportData(pool: Pool, find: Sources['find']): Sources['export'] {
  return async (actor, uuid, query, signal) => {
    const source = await find(actor, uuid)
    const { contentType, write } = FORMATS[query.format]
    const stream = await exportStream(
      (out, begun, stop) =>
        inSnapshot(
          pool,
          source,
          async (client, shape) => {
            begun()
            await write(client, tableOf(source), shape, query, out, stop)
          },
          'close',
        ),
      signal,
    )
    return { stream, contentType, filename: `${source.name}.${query.format}` }
  }
}
