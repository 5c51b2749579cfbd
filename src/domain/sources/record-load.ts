import type { ClientBase } from 'pg'

import type { IngestOptions, LoadMode, LoadResult } from '../../../pipelines/index.ts'
import type { Actor } from '../actor.ts'
import { quoteTable, schemaOf } from '../tables/table-name.ts'
import type { StoredFile } from '../uploads/read-while-storing.ts'
import type { Lease } from './leases.ts'
import { rejectsTableName, type SourceColumn } from './source.ts'
import type { Drift, SourceLoad } from './sources.ts'

export interface FinishedLoad {
  readonly enterpriseId: number
  readonly lease: Lease
  readonly actor: Actor
  readonly kind: SourceLoad['kind']
  readonly mode: LoadMode
  readonly options: IngestOptions
  readonly startedAt: Date
  readonly result: LoadResult
  readonly columns: readonly SourceColumn[]
  readonly rejectedCount: number
  readonly drift: Drift
  /** What was read; null where a remote application was. */
  readonly origin: { filename: string; sizeBytes: number | null; sha256: string | null } | null
  /** The upload that the source keeps from now on; null: what it has stays. */
  readonly kept: StoredFile | null
}

/** In the transaction that makes the rows visible: the source shows them, and the load is on record. */
export async function recordLoad(client: ClientBase, load: FinishedLoad): Promise<void> {
  await showRows(client, load)
  if (load.kept !== null) await keepFile(client, load.lease, load.kept)
  await markRejects(client, load, await addLoad(client, load))
}

async function showRows(client: ClientBase, load: FinishedLoad): Promise<void> {
  const { lease, mode, options, result, columns, rejectedCount, drift } = load
  // What is added does not change what the source is read with.
  const replaces = mode.kind === 'replace'
  await client.query(
    `update sources set status = 'READY', busy_by = null, busy_token = null, busy_job = null,
            error_message = null, source_type = case when $8 then $2 else source_type end,
            options = case when $8 then $7::jsonb else options end,
            row_count = $3, rejected_count = $4, columns = $5, report = $6,
            loaded_at = clock_timestamp(), updated_at = clock_timestamp()
     where id = $1`,
    [
      lease.sourceId,
      result.report.input.sourceType,
      result.rowsInTable,
      rejectedCount,
      JSON.stringify(columns),
      JSON.stringify({ ...result.report, drift }),
      JSON.stringify(options),
      replaces,
    ],
  )
}

async function keepFile(client: ClientBase, lease: Lease, file: StoredFile): Promise<void> {
  await client.query(
    `update sources set filename = $2, object_bucket = $3, object_path = $4, object_size = $5,
            object_sha256 = $6, document_uuid = null where id = $1`,
    [lease.sourceId, file.filename, file.bucket, file.path, file.sizeBytes, file.sha256],
  )
}

async function addLoad(client: ClientBase, load: FinishedLoad): Promise<number> {
  const { lease, actor, kind, mode, origin, options, result, drift, startedAt } = load
  const { counts, report } = result
  const { rows } = await client.query<{ id: number }>(
    `insert into source_loads (source_id, user_id, kind, mode, key_column, filename, size_bytes,
            sha256, options, dialect, rows_read, rows_loaded, rows_rejected, rows_blank, drift,
            report, started_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
     returning id`,
    [
      lease.sourceId,
      actor.id,
      kind,
      mode.kind,
      mode.kind === 'upsert' ? mode.key : null,
      origin?.filename ?? null,
      origin?.sizeBytes ?? null,
      origin?.sha256 ?? null,
      JSON.stringify(options),
      JSON.stringify(report.input.dialect),
      counts.read,
      counts.loaded,
      counts.rejected,
      counts.blank,
      JSON.stringify(drift),
      JSON.stringify(report),
      startedAt,
    ],
  )
  return rows[0]!.id
}

/**
 * How a rejected row falls into fields is known of its load alone. A default costs nothing, however
 * many they are; those that have joined others carry this very transaction.
 */
async function markRejects(client: ClientBase, load: FinishedLoad, loadId: number): Promise<void> {
  const { result, enterpriseId, lease } = load
  if (result.counts.rejected === 0) return
  const schema = schemaOf(enterpriseId)
  const table = quoteTable({ schema, table: rejectsTableName(lease.sourceId) })
  await client.query(`alter table ${table} add column if not exists load bigint default ${loadId}`)
  await client.query(
    `update ${table} set load = $1 where xmin = pg_current_xact_id()::xid and load <> $1`,
    [loadId],
  )
}
