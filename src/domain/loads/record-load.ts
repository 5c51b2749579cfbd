import type { ClientBase, Pool } from 'pg'

import type { IngestOptions, LoadResult } from '../../../pipelines/index.ts'
import { failureOf } from '../../jobs/failure.ts'
import type { Releases } from '../../processes/releases.ts'
import type { Actor } from '../actor.ts'
import { rangeOf } from '../tables/row-numbers.ts'
import type { TableColumn } from '../tables/stored-column.ts'
import { type Lease, LeaseLostError } from './leases.ts'
import type { Drift, LoadKind, LoadOrigin } from '../../resources/load.ts'
import type { KeptFile, LoadMode, SentContent } from './load.ts'

/** A load under way, as it is on record. */
export interface RunningLoad {
  readonly id: number
  readonly uuid: string
  readonly number: number
  readonly rowsBefore: bigint
}

export interface Attempt {
  readonly actor: Actor
  readonly kind: LoadKind
  /** Null for a rollback. */
  readonly mode: LoadMode | null
  readonly options: IngestOptions
  readonly origin: LoadOrigin
}

/** Every attempt is on record from its beginning, whatever comes of it. */
export async function recordAttempt(
  pool: Pool,
  { tableId }: Lease,
  { actor, kind, mode, options, origin }: Attempt,
): Promise<RunningLoad> {
  const { rows } = await pool.query<{ id: number; uuid: string; number: number }>(
    `with counted as (
       update generated_tables set load_count = load_count + 1 where id = $1
       returning id, load_count)
     insert into loads (table_id, number, kind, mode, key_column, state, user_id, options, origin)
     select id, load_count, $2, $3, $4, 'running', $5, $6, $7 from counted
     returning id, uuid, number`,
    [
      tableId,
      kind,
      mode?.kind ?? null,
      mode?.kind === 'upsert' ? mode.key : null,
      actor.id,
      JSON.stringify(options),
      JSON.stringify(origin),
    ],
  )
  const load = rows[0]!
  return { ...load, rowsBefore: rangeOf(load.number).from }
}

/** One that came to nothing before it could read anything. Where the table is gone, nothing is said. */
export async function recordRefused(
  { pool, releases }: { readonly pool: Pool; readonly releases: Releases },
  { tableId }: Lease,
  { actor, kind, mode, options, origin }: Attempt,
  failure: unknown,
): Promise<void> {
  const { status, error } = failureOf(failure)
  await releases.release(() =>
    pool.query(
      `with counted as (
         update generated_tables set load_count = load_count + 1 where id = $1
         returning id, load_count)
       insert into loads (table_id, number, kind, mode, key_column, state, user_id, options, origin,
                          error, finished_at)
       select id, load_count, $2, $3, $4, $5, $6, $7, $8, $9, clock_timestamp() from counted`,
      [
        tableId,
        kind,
        mode?.kind ?? null,
        mode?.kind === 'upsert' ? mode.key : null,
        failedState(status),
        actor.id,
        JSON.stringify(options),
        JSON.stringify(origin),
        JSON.stringify(error),
      ],
    ),
  )
}

const failedState = (status: 'FAILED' | 'CANCELLED') =>
  status === 'CANCELLED' ? 'cancelled' : 'failed'

/** What is known of a load once its rows are in. */
export interface LoadedFacts {
  readonly sent: SentContent | null
  /** The upload that belongs to the load from now on; null: there is none to read again. */
  readonly kept: KeptFile | null
  readonly columns: readonly TableColumn[]
  readonly result: LoadResult
  /** Rows in the partition, and how many ordinals they have. */
  readonly rows: number
  readonly drift: Drift
}

/** In the transaction that publishes or stages it; answers its partition. */
export async function recordLoaded(
  client: ClientBase,
  load: RunningLoad,
  { sent, kept, columns, result, rows, drift }: LoadedFacts,
): Promise<number> {
  const { counts, report } = result
  const { rowCount } = await client.query(
    `update loads
     set filename = $2, size_bytes = $3, sha256 = $4, object_bucket = $5, object_path = $6,
         source_type = $7, dialect = $8, rows_read = $9, rows_loaded = $10, rows_rejected = $11,
         rows_blank = $12, report = $13, columns = $14, drift = $15, rows_before = $16,
         row_count = $17, last_ordinal = $17, finished_at = clock_timestamp()
     where id = $1 and state = 'running'`,
    [
      load.id,
      sent?.filename ?? null,
      sent?.sizeBytes ?? null,
      sent?.sha256 ?? null,
      kept?.bucket ?? null,
      kept?.path ?? null,
      report.input.sourceType,
      JSON.stringify(report.input.dialect),
      counts.read,
      counts.loaded,
      counts.rejected,
      counts.blank,
      JSON.stringify(report),
      JSON.stringify(columns),
      JSON.stringify(drift),
      String(load.rowsBefore),
      rows,
    ],
  )
  if (rowCount !== 1) throw new LeaseLostError(`The load ${load.uuid} was given up by others`)
  const partition = await client.query<{ id: number }>(
    `update load_tables set row_count = $2
     where id in (select partition_id from loads where id = $1) returning id`,
    [load.id, rows],
  )
  return partition.rows[0]!.id
}

/** What was sent is told as far as it is known by then. */
export async function recordFailure(
  pool: Pool,
  load: RunningLoad,
  failure: unknown,
  sent: SentContent | null,
): Promise<void> {
  const { status, error } = failureOf(failure)
  await pool.query(
    `update loads
     set state = $2, error = $3, finished_at = clock_timestamp(), partition_id = null,
         filename = $4, size_bytes = $5, sha256 = $6
     where id = $1 and state = 'running'`,
    [
      load.id,
      failedState(status),
      JSON.stringify(error),
      sent?.filename ?? null,
      sent?.sizeBytes ?? null,
      sent?.sha256 ?? null,
    ],
  )
}
