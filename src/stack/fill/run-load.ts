import type { ClientBase, Pool } from 'pg'

import {
  type IngestOptions,
  OutcomeUnknownError,
  type LoadResult,
  type Mapping,
} from '../../../pipelines/index.ts'
import { SourceInUseException } from '../../errors/index.ts'
import { JobCancelledError, failureOf } from '../../jobs/failure.ts'
import type { JobContext } from '../../jobs/job.ts'
import type { Counts } from '../../observability/metrics.ts'
import { inSpan } from '../../observability/traces.ts'
import type { Logger } from '../../observability/logger.ts'
import type { Releases } from '../../processes/releases.ts'
import type { LoadKind, LoadOrigin, Drift } from '../../resources/load.ts'
import type { Actor } from '../../domain/actor.ts'
import type { Expected } from '../../domain/shapes/expect.ts'
import type { Ingest } from '../../domain/ingest/ingest.ts'
import type { Uploads } from '../../domain/uploads/uploads.ts'
import type { Content } from './content.ts'
import { dropUnreferenced } from '../keep/forget.ts'
import { type Housekeeping, mergeOverdue } from '../keep/housekeeping.ts'
import type { Label } from './target-columns.ts'
import { LeaseLostError, type Leases, type Lease } from '../leases.ts'
import type { LoadMode, KeptFile, SentContent } from '../load.ts'
import { outcomeUnknown, takenOver } from '../change-table.ts'
import { readTable } from '../look.ts'
import type { HeldTable, PublishParts } from '../publish.ts'
import type { GeneratedTable } from '../stack.ts'
import { tableMessages } from '../table/table-messages.ts'
import { NotCarriedError } from '../upgrade/not-carried.ts'
import { upgradeTable } from '../upgrade/upgrade-tables.ts'
import type { Failure } from '../../jobs/job-records.ts'
import { rangeOf } from '../table/partitions.ts'
import type { TableColumn } from '../table/stored-column.ts'

/** What a long-running call is given besides its arguments. */
export type Work = Pick<JobContext, 'jobUuid' | 'signal' | 'report' | 'seal'>

export interface LoadsParts extends PublishParts {
  readonly pool: Pool
  readonly ingest: Ingest
  readonly uploads: Uploads
  readonly leases: Leases
  readonly releases: Releases
  readonly housekeeping: Housekeeping
  readonly counts: Pick<Counts, 'loadEnded'>
  readonly logger: Logger
}

/** Rows that are to be loaded into a table; its lease belongs to the caller until this has ended. */
interface LoadRequest extends HeldTable {
  /** Null: somebody without an account. */
  readonly actor: Actor | null
  readonly kind: LoadKind
  readonly mode: LoadMode
  readonly options: IngestOptions
  readonly origin: LoadOrigin
  readonly content: Content
  /** Which columns it is to fill; null: whatever it has. */
  readonly expects: Expected | null
  readonly labels?: readonly Label[]
  /** True: to be shown at once; false: staged, that is, loaded next to what is shown. */
  readonly publishes: boolean
}

/** A load that is on record, and may now read. */
export interface OpenLoad extends LoadRequest {
  readonly running: RunningLoad
}

/** How a load ended well. */
interface Ending {
  /** False: its rows are staged. */
  readonly isPublished: boolean
}

interface EndedLoad extends Ending {
  readonly uuid: string
}

/**
 * The only way from a source of data to the rows of a table, whoever asks for it: every attempt is
 * recorded, and whatever the work does is all or nothing. The work fills a partition and shows it.
 */
export async function runLoad(
  parts: LoadsParts,
  request: LoadRequest,
  { signal }: Pick<Work, 'signal'>,
  work: (load: OpenLoad) => Promise<Ending>,
): Promise<EndedLoad> {
  const { pool, leases, releases, housekeeping, counts, logger } = parts
  const { lease, content } = request
  let { table } = request
  let running: RunningLoad | null = null
  let ending: Ending
  try {
    table = await asPartitioned(parts, table)
    await mergeOverdue(parts, { table, lease }, signal)
    running = await recordAttempt(pool, lease, request)
    const opened = { ...request, table, running }
    const about = { 'load.uuid': running.uuid, 'load.kind': request.kind }
    ending = await inSpan('load', about, () => work(opened))
  } catch (error) {
    if (error instanceof OutcomeUnknownError) {
      await leases.giveBack(lease)
      await content.discard(error)
      throw outcomeUnknown(error)
    }
    const failure = content.failure() ?? error
    await content.discard(failure)
    if (running !== null) {
      const failed = running
      const why: unknown = signal.aborted ? signal.reason : failure
      counts.loadEnded(request.kind, why instanceof JobCancelledError ? 'cancelled' : 'failed')
      // Known only if everything was stored before something went wrong.
      const sent = await content.describe().catch(() => null)
      await releases.release(() => recordFailure(pool, failed, why, sent))
    }
    // A source that was never loaded goes with its lease, and what its load has made goes first.
    await dropUnreferenced(parts, table.id).catch((why: unknown) => {
      logger.warn({ table: table.id, err: why }, 'a table could not be cleared up after')
    })
    housekeeping.after(table.id)
    await leases.giveBack(lease)
    throw failure instanceof LeaseLostError ? takenOver(failure) : failure
  }
  counts.loadEnded(request.kind, ending.isPublished ? 'published' : 'staged')
  housekeeping.after(table.id)
  return { ...ending, uuid: running.uuid }
}

/** Upgrades a table that an earlier version made, if that has not happened yet. */
async function asPartitioned(parts: LoadsParts, table: GeneratedTable): Promise<GeneratedTable> {
  if (table.isPartitioned || table.currentLoadId === null) return table
  try {
    await upgradeTable(parts, table)
  } catch (error) {
    if (!(error instanceof NotCarriedError)) throw error
    // Names of others are for the operator: the log has them.
    throw new SourceInUseException(tableMessages.notUpgraded(), { cause: error })
  }
  return readTable(parts.pool, table.id)
}

/** Leaves the rows next to what is shown, to be looked at first. */
export async function stageRows(
  tx: ClientBase,
  { leases }: Pick<LoadsParts, 'leases'>,
  { lease, running }: OpenLoad,
): Promise<void> {
  await tx.query(`update loads set state = 'staged' where id = $1`, [running.id])
  await leases.release(tx, lease)
}

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
