import type { ClientBase, Pool } from 'pg'

import { type IngestOptions, OutcomeUnknownError } from '../../../pipelines/index.ts'
import { SourceInUseException } from '../../errors/index.ts'
import { JobCancelledError } from '../../jobs/failure.ts'
import type { JobContext } from '../../jobs/job.ts'
import type { Counts } from '../../observability/counts.ts'
import { inSpan } from '../../observability/traces.ts'
import type { Logger } from '../../observability/logger.ts'
import type { Releases } from '../../processes/releases.ts'
import type { LoadKind, LoadOrigin } from '../../resources/load.ts'
import type { Actor } from '../../domain/actor.ts'
import type { Expected } from '../../domain/shapes/expect.ts'
import type { Ingest } from '../../domain/ingest/ingest.ts'
import type { Uploads } from '../../domain/uploads/uploads.ts'
import type { Content } from './content.ts'
import { dropUnreferenced } from '../keep/forget.ts'
import { type Housekeeping, mergeOverdue } from '../keep/housekeeping.ts'
import type { Label } from './target-columns.ts'
import { LeaseLostError, type Leases } from '../leases.ts'
import type { LoadMode } from '../load.ts'
import { outcomeUnknown, takenOver } from '../change-table.ts'
import { readTable } from '../look.ts'
import type { HeldTable, PublishParts } from '../publish.ts'
import { recordAttempt, recordFailure, type RunningLoad } from './record-load.ts'
import type { GeneratedTable } from '../stack.ts'
import { tableMessages } from '../table/table-messages.ts'
import { NotCarriedError } from '../upgrade/not-carried.ts'
import { upgradeTable } from '../upgrade/upgrade-tables.ts'

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
