import type { Writable } from 'node:stream'

import type { ClientBase } from 'pg'

import { writeCsv } from '../../stack/export/csv.ts'
import { exportStream } from '../../stack/export/export-stream.ts'
import { writeNdjson } from '../../stack/export/json-lines.ts'
import { writeXlsx } from '../../stack/export/xlsx.ts'
import { counted, whatPasses } from '../../stack/read/row-filter.ts'
import { requireColumns, type TableState } from '../../stack/read/snapshot.ts'
import { inSnapshot } from './in-snapshot.ts'
import { resolveFilters } from './resolve-filters.ts'
import { columnNamed } from './source.ts'
import type {
  CsvWording,
  ExportedData,
  ExportFormat,
  ExportQuery,
  Finders,
  TableAccess,
} from './sources.ts'
import type { Actor } from '../actor.ts'
import { later } from '../../../pipelines/index.ts'

const parquetWriter = later(() => import('../../stack/export/parquet.ts'))

type Write = (
  client: ClientBase,
  state: TableState,
  query: CsvWording & { readonly title: string },
  out: Writable,
  signal: AbortSignal,
) => Promise<void>

const FORMATS: Readonly<Record<ExportFormat, { contentType: string; write: Write }>> = {
  csv: { contentType: 'text/csv; charset=utf-8', write: writeCsv },
  ndjson: {
    contentType: 'application/x-ndjson; charset=utf-8',
    write: (client, state, _query, out, signal) => writeNdjson(client, state, out, signal),
  },
  xlsx: {
    contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    // It begins with how many sheets it has.
    write: async (client, state, { title }, out, signal) =>
      writeXlsx(client, await counted(client, state), title, out, signal),
  },
  parquet: {
    contentType: 'application/vnd.apache.parquet',
    async write(client, state, _query, out, signal) {
      const { writeParquet } = await parquetWriter()
      await writeParquet(client, state, out, signal)
    },
  },
}

/** Streams one state of the table; holds no more than what the client has yet to read. */
export function exportData(exports: TableAccess, find: Finders['find']) {
  return async (
    actor: Actor,
    uuid: string,
    { columns, sort, order, filters, ...query }: ExportQuery,
    signal: AbortSignal,
  ): Promise<ExportedData> => {
    const source = await find(actor, uuid)
    const { contentType, write } = FORMATS[query.format]
    const stream = await exportStream(
      (out, begun, stop) =>
        inSnapshot(exports, source, async (client, state) => {
          const named = (header: string, pointer: string) =>
            columnNamed(state.columns, header, pointer)
          const wanted = {
            ...whatPasses(state, resolveFilters(state.columns, filters)),
            columns: columns?.map((header) => named(header, '/query/columns')) ?? state.columns,
            order: {
              sortBy: sort === undefined ? null : named(sort, '/query/sort'),
              descending: order === 'desc',
            },
          }
          await requireColumns(client, wanted)
          begun()
          await write(client, wanted, { ...query, title: source.name }, out, stop)
        }),
      signal,
    )
    return { stream, contentType, filename: `${source.name}.${query.format}` }
  }
}
