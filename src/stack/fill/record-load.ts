import type { ClientBase, Pool } from 'pg'

import type { IngestOptions, LoadResult, Mapping } from '../../../pipelines/index.ts'
import { failureOf } from '../../jobs/failure.ts'
import type { Failure } from '../../jobs/job-records.ts'
import type { Releases } from '../../processes/releases.ts'
import type { Actor } from '../../domain/actor.ts'
import type { Expected } from '../../domain/shapes/expect.ts'
import { rangeOf } from '../table/row-numbers.ts'
import type { TableColumn } from '../table/stored-column.ts'
import { type Lease, LeaseLostError } from '../leases.ts'
import type { Drift, LoadKind, LoadOrigin } from '../../resources/load.ts'
import type { KeptFile, LoadMode, SentContent } from '../load.ts'

/** A load under way, as it is on record. */
export interface RunningLoad {
  readonly id: number
  readonly uuid: string
  readonly number: number
  readonly rowsBefore: bigint
}

interface Attempt {
  /** Null: somebody without an account. */
  readonly actor: Actor | null
  readonly kind: LoadKind
  /** Null for a rollback. */
  readonly mode: LoadMode | null
  readonly options: IngestOptions
  readonly origin: LoadOrigin
}

/** Every attempt is recorded when it begins, whatever its outcome. */
export async function recordAttempt(
  pool: Pool,
  lease: Lease,
  attempt: Attempt,
): Promise<RunningLoad> {
  const load = (await addLoad(pool, lease, attempt, null))!
  return { ...load, rowsBefore: rangeOf(load.number).from }
}

/**
 * Records an attempt that was refused before it could read anything. If the table is gone, nothing
 * is recorded.
 */
export async function recordRefused(
  { pool, releases }: { readonly pool: Pool; readonly releases: Releases },
  lease: Lease,
  attempt: Attempt,
  failure: unknown,
): Promise<void> {
  await releases.release(() => addLoad(pool, lease, attempt, failureOf(failure)))
}

/** `failure` is null for a load that begins. Returns undefined if the table is gone. */
async function addLoad(
  pool: Pool,
  { tableId }: Lease,
  { actor, kind, mode, options, origin }: Attempt,
  failure: Failure | null,
): Promise<Omit<RunningLoad, 'rowsBefore'> | undefined> {
  const { rows } = await pool.query<{ id: number; uuid: string; number: number }>(
    `with counted as (
       update generated_tables set load_count = load_count + 1 where id = $1
       returning id, load_count)
     insert into loads (table_id, number, kind, mode, key_column, state, user_id, options, origin,
                        error, slot, finished_at)
     select id, load_count, $2, $3, $4, $5::text, $6, $7, $8, $9, $10,
            case when $5::text <> 'running' then clock_timestamp() end
     from counted
     returning id, uuid, number`,
    [
      tableId,
      kind,
      mode?.kind ?? null,
      mode?.kind === 'upsert' ? mode.key : null,
      failure === null ? 'running' : failedState(failure.status),
      actor?.id ?? null,
      JSON.stringify(options),
      JSON.stringify(origin),
      failure && JSON.stringify(failure.error),
      mode?.kind === 'append' ? (mode.slot ?? null) : null,
    ],
  )
  return rows[0]
}

const failedState = (status: Failure['status']) => (status === 'CANCELLED' ? 'cancelled' : 'failed')

/** What is known of a load once its rows are in. */
interface LoadedFacts {
  readonly sent: SentContent | null
  /** The upload that belongs to the load from now on; null: there is none that could be read again. */
  readonly kept: KeptFile | null
  readonly columns: readonly TableColumn[]
  readonly result: LoadResult
  /** The number of rows in the partition, and of row numbers that they take up. */
  readonly rows: number
  readonly drift: Drift
  /** Null: no columns were expected. */
  readonly mapping: Mapping | null
  readonly expects: Expected | null
}

/** Runs in the transaction that publishes or stages the load; returns the number of its partition. */
export async function recordLoaded(
  client: ClientBase,
  load: RunningLoad,
  { sent, kept, columns, result, rows, drift, mapping, expects }: LoadedFacts,
): Promise<number> {
  const { counts, report } = result
  const { rows: partitions } = await client.query<{ id: number }>(
    `with loaded as (
       update loads
       set filename = $2, size_bytes = $3, sha256 = $4, object_bucket = $5, object_path = $6,
           source_type = $7, dialect = $8, rows_read = $9, rows_loaded = $10, rows_rejected = $11,
           rows_blank = $12, report = $13, columns = $14, drift = $15, rows_before = $16,
           row_count = $17, last_ordinal = $17, mapping = $18, questions = $19, missing = $20,
           answers = $21, shape_version = $22, finished_at = clock_timestamp()
       where id = $1 and state = 'running' returning partition_id)
     update load_tables p set row_count = $17 from loaded where p.id = loaded.partition_id
     returning p.id`,
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
      mapping && JSON.stringify(mapping.headers),
      JSON.stringify(mapping?.questions ?? []),
      JSON.stringify(mapping?.missing ?? []),
      expects && JSON.stringify({ given: expects.given, remember: expects.remember }),
      expects?.shape.version ?? null,
    ],
  )
  const [partition] = partitions
  if (partition === undefined) throw LeaseLostError.ofLoad(load.uuid)
  return partition.id
}

/** What was sent is recorded as far as it is known by then. */
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
