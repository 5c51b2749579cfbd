import type { ClientBase, Pool } from 'pg'

import {
  type IngestOptions,
  type LoadResult,
  OutcomeUnknownError,
  type Warning,
} from '../../../pipelines/index.ts'
import type { JobContext } from '../../jobs/job.ts'
import type { Logger } from '../../observability/logger.ts'
import type { Releases } from '../../processes/releases.ts'
import type { Actor } from '../actor.ts'
import type { Ingest } from '../ingest/ingest.ts'
import { ensureSchemas } from '../tables/ensure-schemas.ts'
import { countSuperseded } from '../tables/move-rows.ts'
import { loadsSchemaOf, schemaOf } from '../tables/table-name.ts'
import { disownObject } from '../uploads/disown.ts'
import type { Uploads } from '../uploads/uploads.ts'
import type { Content } from './content.ts'
import { choosePlacement, type Placement } from './choose-placement.ts'
import { driftFrom, keptColumn } from './drift.ts'
import { clearUp } from './clear-up.ts'
import { type GeneratedTable, readTable } from './generated-table.ts'
import type { Housekeeping } from './housekeeping.ts'
import { type Lease, LeaseLostError, type Leases } from './leases.ts'
import type { LoadKind, LoadOrigin } from '../../resources/load.ts'
import type { KeptFile, LoadMode } from './load.ts'
import { outcomeUnknown, takenOver } from './load-failures.ts'
import { loadMessages } from './load-messages.ts'
import { columnsOf, type LoadedPartition, partitionTarget } from './load-target.ts'
import { publishLoaded } from './publish-loaded.ts'
import type { PublishParts } from './publish.ts'
import { recordAttempt, recordFailure, recordLoaded, type RunningLoad } from './record-load.ts'
import { upgradeTable } from './upgrade-tables.ts'

/** What a long-running call is given besides its arguments. */
export type Work = Pick<JobContext, 'jobUuid' | 'signal' | 'report' | 'seal'>

export interface LoadsParts extends PublishParts {
  readonly pool: Pool
  readonly ingest: Ingest
  readonly uploads: Uploads
  readonly leases: Leases
  readonly releases: Releases
  readonly housekeeping: Housekeeping
  readonly logger: Logger
}

interface LoadRequest {
  readonly actor: Actor
  /** Belongs to the caller until the load has ended. */
  readonly lease: Lease
  /** As it was read under the lease. */
  readonly table: GeneratedTable
  readonly kind: LoadKind
  readonly mode: LoadMode
  readonly options: IngestOptions
  readonly origin: LoadOrigin
  readonly content: Content
  /** True: shown at once; false: staged, that is, loaded next to what is shown, to be looked at first. */
  readonly publishes: boolean
  /** A load that would lose a larger share of the rows than this stays staged. */
  readonly mostRowsLostPercent?: number
  /** Warnings that the caller adds once everything was read. */
  warnings?(): readonly Warning[]
  /** The caller's own part of the transaction: the rows are in, but not visible yet. */
  prepare?(client: ClientBase, loadId: number, result: LoadResult): Promise<void>
}

interface EndedLoad {
  readonly uuid: string
  /** False: its rows are staged. */
  readonly isPublished: boolean
}

/**
 * The only way from a source of data to the rows of a table, whoever asks for it. Every attempt is
 * recorded, and is all or nothing.
 */
export async function runLoad(
  parts: LoadsParts,
  request: LoadRequest,
  work: Work,
): Promise<EndedLoad> {
  const { pool, ingest, leases, releases } = parts
  const { lease, content, options } = request
  let { table } = request
  let load: RunningLoad | null = null
  let done: Done = { owned: false, isPublished: false, forgotten: [] }
  try {
    table = await asPartitioned(parts, table)
    load = await recordAttempt(pool, lease, request)
    const running = load
    await ensureSchemas(pool, schemaOf(table.enterpriseId), loadsSchemaOf(table.enterpriseId))
    const placement = await choosePlacement(parts, table, content.source, work.signal)
    const filled = { ...request, table, load, placement }
    const target = await partitionTarget(parts, filled, async (client, loaded) => {
      done = await show(parts, { ...filled, load: running }, work, { client, loaded })
    })
    const { signal, report } = work
    using place = ingest.place({ enterprise: table.enterpriseId }, signal)
    const { connect } = place
    const control = { signal, onProgress: report }
    await ingest.load(content.source, options, { ...target, connect }, control)
  } catch (error) {
    if (error instanceof OutcomeUnknownError) {
      await leases.giveBack(lease)
      await content.discard(error)
      throw outcomeUnknown(error)
    }
    const failure = content.failure() ?? error
    await content.discard(failure)
    if (load !== null) {
      const failed = load
      const why: unknown = work.signal.aborted ? work.signal.reason : failure
      // Known only if everything was stored before something went wrong.
      const sent = await content.describe().catch(() => null)
      await releases.release(() => recordFailure(pool, failed, why, sent))
    }
    await leases.giveBack(lease)
    await clearUp(parts, table)
    throw failure instanceof LeaseLostError ? takenOver(failure) : failure
  }
  if (!done.owned) await content.discard(null)
  await clearUp(parts, table, done.forgotten)
  return { uuid: load.uuid, isPublished: done.isPublished }
}

/** Upgrades a table that an earlier version made, if that has not happened yet. */
async function asPartitioned(parts: LoadsParts, table: GeneratedTable): Promise<GeneratedTable> {
  if (table.isPartitioned || table.currentLoadId === null) return table
  await upgradeTable(parts, table)
  return readTable(parts.pool, table.id)
}

interface Done {
  /** Whether the upload now belongs to the load. */
  readonly owned: boolean
  readonly isPublished: boolean
  readonly forgotten: readonly KeptFile[]
}

interface PlacedLoad extends LoadRequest {
  readonly load: RunningLoad
  readonly placement: Placement
}

interface LoadedIn {
  readonly client: ClientBase
  readonly loaded: LoadedPartition
}

/** Runs in the transaction that makes the rows visible, or leaves them staged. */
async function show(
  { uploads, ...parts }: LoadsParts,
  request: PlacedLoad,
  { seal }: Work,
  { client, loaded }: LoadedIn,
): Promise<Done> {
  const { table, lease, mode, content, load, placement } = request
  const { timezone, name, rows } = loaded
  const loss = tooManyLost(request, rows - loaded.superseded)
  const result = withWarnings(loaded.result, [
    ...placement.warnings,
    ...(request.warnings?.() ?? []),
    ...(loss === null ? lossWarnings(request, rows) : [loss]),
  ])
  const stored = await content.stored()
  const owned = mode.kind === 'replace' && stored !== null
  if (owned) await uploads.keep(client, stored)
  const columns = result.columns.map(keptColumn)
  const drift = driftFrom(table, columnsOf(table, mode, columns), columns)
  const partitionId = await recordLoaded(client, load, {
    sent: await content.describe(),
    kept: mode.kind === 'replace' ? (stored ?? content.shared) : null,
    columns,
    result,
    rows,
    drift,
  })
  if (loaded.superseded > 0) {
    const { rowsBefore } = load
    await countSuperseded(client, table.id, name, { rowsBefore, lastOrdinal: rows })
  }
  await request.prepare?.(client, load.id, result)
  if (!request.publishes || loss !== null) {
    await client.query(`update loads set state = 'staged' where id = $1`, [load.id])
    await parts.leases.release(client, lease)
    await seal(client, table.enterpriseId)
    return { owned, isPublished: false, forgotten: [] }
  }
  const partition = { id: partitionId, name }
  const { forgotten } = await publishLoaded(client, parts, {
    table,
    lease,
    rows: { loadId: load.id, mode, columns, drift, partition, timezone },
    async record({ forgotten: files }) {
      for (const file of files) await disownObject(client, file)
    },
    seal: () => seal(client, table.enterpriseId),
  })
  return { owned, isPublished: true, forgotten }
}

/** If a file has lost this many rows, something is probably wrong with it. */
function lossWarnings({ kind, mode, table }: LoadRequest, after: number): Warning[] {
  const before = table.rowCount
  if (kind !== 'reload' || mode.kind !== 'replace' || after * 2 >= before) return []
  return [{ code: 'rows-lost', message: loadMessages.rowsLost({ before, after }) }]
}

/** Why the rows stay staged although they were to be shown; null: they can be shown. */
function tooManyLost(
  { table: { rowCount }, publishes, mostRowsLostPercent: most = 100 }: LoadRequest,
  rows: number,
): Warning | null {
  if (!publishes || (rowCount - rows) * 100 <= most * rowCount) return null
  const message = loadMessages.staysStaged({ before: rowCount, after: rows, most })
  return { code: 'rows-lost', message }
}

function withWarnings(result: LoadResult, warnings: readonly Warning[]): LoadResult {
  const { report } = result
  return { ...result, report: { ...report, warnings: [...report.warnings, ...warnings] } }
}
