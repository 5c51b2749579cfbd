import {
  type IngestOptions,
  type LoadMode,
  type LoadResult,
  OutcomeUnknownError,
} from '../../../pipelines/index.ts'
import { LockTimeoutError, translateDatabaseError } from '../../db/database-errors.ts'
import { ServiceUnavailableException, SourceBusyException } from '../../errors/index.ts'
import type { Actor } from '../actor.ts'
import type { Ingest } from '../ingest/ingest.ts'
import { disownObject } from '../uploads/disown.ts'
import type { Uploads } from '../uploads/uploads.ts'
import { columnsAfterMerge, driftBetween, keptColumn, NO_DRIFT } from './drift.ts'
import { type Lease, LeaseLostError, type Leases } from './leases.ts'
import type { Content } from './open-content.ts'
import { recordLoad } from './record-load.ts'
import { rejectsTableName, type SourceColumn } from './source.ts'
import type { StoredFile } from '../uploads/read-while-storing.ts'
import type { SourceLoad, Work } from './sources.ts'

export interface LoadParts {
  readonly ingest: Ingest
  readonly leases: Leases
  readonly uploads: Uploads
}

export interface SourceToLoad {
  readonly lease: Lease
  readonly enterpriseId: number
  readonly tableName: string
  readonly kind: SourceLoad['kind']
  readonly mode: LoadMode
  readonly options: IngestOptions
  readonly content: Content
  /** How the source stood before: columns, rejects and the upload it owns. */
  readonly before: {
    readonly columns: readonly SourceColumn[]
    readonly rejectedCount: number
    readonly file: StoredFile | null
  } | null
  /** The rejects there are give way to those of this load. */
  readonly replacesRejects: boolean
}

/** Loads under a lease that is the caller's until this settles. All or nothing. */
export async function loadIntoSource(
  { ingest, leases, uploads }: LoadParts,
  actor: Actor,
  load: SourceToLoad,
  { signal, report, seal }: Work,
): Promise<void> {
  const { lease, content, before, mode } = load
  const startedAt = new Date()
  let superseded: StoredFile | null = null
  let owned = false

  const publish = async (client: Parameters<typeof recordLoad>[0], result: LoadResult) => {
    const file = await content.stored()
    await leases.check(client, lease)
    const kept = mode.kind === 'replace' ? file : null
    if (kept !== null) {
      await uploads.keep(client, kept)
      owned = true
      superseded = before?.file ?? null
      if (superseded !== null) await disownObject(client, superseded)
    }
    const loaded = result.columns.map(keptColumn)
    const added = mode.kind !== 'replace' && before !== null
    const columns = added ? columnsAfterMerge(before.columns, loaded) : loaded
    const sent = new Set(loaded.map(({ name }) => name))
    if (load.replacesRejects) await dropEarlierRejects(client, load)
    await recordLoad(client, {
      ...load,
      actor,
      startedAt,
      result,
      columns,
      rejectedCount:
        result.counts.rejected + (added && !load.replacesRejects ? before.rejectedCount : 0),
      // Of the columns that were sent, as they are in the table now.
      drift:
        before === null
          ? NO_DRIFT
          : driftBetween(
              before.columns,
              columns.filter(({ name }) => sent.has(name)),
            ),
      origin: await content.describe(),
      kept,
    })
  }

  try {
    await ingest.load(
      content.source,
      load.options,
      {
        enterpriseId: load.enterpriseId,
        table: load.tableName,
        rejectsTable: rejectsTableName(lease.sourceId),
        mode: withFormats(mode, before?.columns ?? []),
        publish,
      },
      { signal, onProgress: report, seal },
    )
  } catch (error) {
    if (error instanceof OutcomeUnknownError) {
      await content.discard(error)
      throw leftToSweep(leases, lease, error)
    }
    const failure = content.failure() ?? error
    await leases.giveBack(lease)
    await content.discard(failure)
    throw whyNotShown(failure)
  }
  if (!owned) await content.discard(null)
  if (superseded !== null) await uploads.discard(superseded)
}

/** What the rows that stay tell of those that join them. */
function withFormats(mode: LoadMode, columns: readonly SourceColumn[]): LoadMode {
  if (mode.kind === 'replace') return mode
  const known = columns.flatMap(({ name, dateFormat }) =>
    dateFormat === undefined ? [] : [[name, dateFormat] as const],
  )
  return { ...mode, dateFormats: new Map(known) }
}

function whyNotShown(failure: unknown): unknown {
  if (failure instanceof LeaseLostError) return takenOver(failure)
  return translateDatabaseError(failure) instanceof LockTimeoutError ? stillRead(failure) : failure
}

/** Rows of this very load carry its transaction; all others were there before. */
async function dropEarlierRejects(
  client: Parameters<typeof recordLoad>[0],
  { before, lease, enterpriseId }: SourceToLoad,
): Promise<void> {
  if (before === null || before.rejectedCount === 0) return
  await client.query(
    `delete from "enterprise_${enterpriseId}"."${rejectsTableName(lease.sourceId)}"
     where xmin <> pg_current_xact_id()::xid`,
  )
}

/** Only the database knows whether it committed. The lease lapses, and the sweep looks. */
function leftToSweep(leases: Leases, lease: Lease, error: OutcomeUnknownError) {
  leases.abandon(lease)
  return new ServiceUnavailableException(
    'The connection was lost while the rows were being made visible; look at the source before trying again',
    { headers: { 'retry-after': '5' }, cause: error },
  )
}

const takenOver = (cause: unknown) =>
  new ServiceUnavailableException(
    'The database was away for too long; the load was taken for abandoned, and nothing was changed',
    { headers: { 'retry-after': '5' }, cause },
  )

const stillRead = (cause: unknown) =>
  new SourceBusyException('Others read the table for too long; nothing was changed', { cause })
