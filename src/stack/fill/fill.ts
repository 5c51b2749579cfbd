import type { ClientBase, Pool } from 'pg'

import {
  type CopiedRows,
  type FilledTable,
  LoadSession,
  type LoadResult,
  type Mapping,
  type Warning,
  quoteTable,
} from '../../../pipelines/index.ts'
import { withTransaction } from '../../db/transaction.ts'
import type { Ingest } from '../../domain/ingest/ingest.ts'
import {
  addRowKey,
  rangeOf,
  createPartition,
  type Partition,
  recordDistinct,
  recordSize,
  registerPartition,
} from '../table/partitions.ts'
import { alignPartition } from '../table/switch-partitions.ts'
import { ensureSchemas } from '../table/enterprise-schemas.ts'
import { countSuperseded, dropSuperseded } from '../move-rows.ts'
import { absentColumns, targetColumns, labelRows, labelsIn, withLabels } from './target-columns.ts'
import { openRejects } from './rejects.ts'
import type { TableEngine } from '../table/table-engine.ts'
import type { Uploads } from '../../domain/uploads/uploads.ts'
import { refuseToWrite, orInUse } from '../table/made-by-others.ts'
import type { Patience } from '../table/lock-table.ts'
import { choosePlacement } from '../citus/placement.ts'
import { columnsOf, driftFrom, keptColumn, planShape } from '../columns.ts'
import { LeaseLostError } from '../leases.ts'
import { columnsIn } from '../look.ts'
import type { LoadedRows } from '../publish.ts'
import { recordLoaded, type RunningLoad, type OpenLoad, type Work } from './run-load.ts'
import type { GeneratedTable } from '../stack.ts'
import { inSpan } from '../../observability/traces.ts'
import type { Logger } from '../../observability/logger.ts'

interface FillParts {
  readonly pool: Pool
  readonly ingest: Pick<Ingest, 'openIntake' | 'place'>
  readonly tableEngine: TableEngine
  readonly patience: Patience
  readonly uploads: Pick<Uploads, 'keep' | 'disown'>
  readonly logger: Logger
}

interface Filled {
  readonly rows: CopiedRows
  readonly partition: Partition
}

/** The rows of a load, complete in their partition; nobody sees them yet. */
interface FilledLoad extends AsyncDisposable {
  readonly rows: CopiedRows
  readonly superseded: number
  /** How many rows would be shown of it. */
  readonly rowCount: number
  readonly result: LoadResult
  /** All of the work, or nothing, whatever becomes of the connection. */
  transaction<R>(work: (tx: ClientBase) => Promise<R>): Promise<R>
}

/** Whether only people can say what some of the headers mean. */
export const asks = (mapping: Mapping | null): boolean => (mapping?.questions.length ?? 0) > 0

/** Reads the content into a partition of the table that it is for. */
export async function fill(
  parts: FillParts,
  load: OpenLoad,
  work: Pick<Work, 'signal' | 'report'>,
): Promise<FilledLoad> {
  const { pool, ingest, tableEngine } = parts
  const { table, mode, content, options, running } = load
  const { signal, report: onProgress } = work
  await using opened = new AsyncDisposableStack()
  await ensureSchemas(pool, table.enterpriseId)
  const placement = await choosePlacement(parts, table, content.source, signal)
  const place = opened.use(ingest.place({ enterprise: table.enterpriseId }, signal))
  const columns = await targetColumns(pool, table, mode, load.expects)
  const key = mode.kind === 'upsert' ? mode.key : null
  const control = { columns, key, signal, onProgress }
  const intake = opened.use(await ingest.openIntake(content.source, options, control))
  const partition = await reservePartition(pool, table, running, placement.isDistributed)
  const session = opened.use(await LoadSession.open(place.connect))
  const target = {
    rowsBefore: running.rowsBefore,
    rejectsUnder: running.id,
    async renew(client: ClientBase, held: FilledTable['columns']) {
      await client.query(`drop table if exists ${quoteTable(partition.name)}`)
      await createPartition(client, partition, held)
      if (placement.isDistributed) {
        await tableEngine.distribute(client, partition.name, placement.beside)
      }
      return partition.name
    },
  }
  const copied = await inSpan('COPY', { 'db.system.name': 'postgresql' }, () =>
    intake.copyInto(target, session),
  )
  const rows = opened.use(copied)
  const filled = { rows, partition }
  const superseded = await session.cancellable(signal, () =>
    rows.keep(async (tx) => {
      // Before there is an index that would be written anew as well.
      const labels = labelsIn(table, load.labels)
      await labelRows(tx, partition.name, labels)
      const count = await complete(tx, load, filled)
      const labelled = new Set(labels.map(({ column }) => column))
      await recordDistinct(
        tx,
        partition,
        rows.distinct.filter((column) => !labelled.has(column)),
      )
      // A table that has shown nothing has nothing to be copied.
      const isThere = table.currentLoadId !== null
      if (isThere && load.publishes && !asks(rows.mapping)) await align(tx, parts, load, filled)
      await recordSize(tx, tableEngine, partition)
      return count
    }),
  )
  const kept = opened.move()
  return {
    rows,
    superseded,
    rowCount: rows.rows - superseded,
    result: warnedOf(rows.describe(superseded), placement.warnings),
    transaction: (inside) => session.transaction(signal, inside),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

/**
 * The record comes before the table, so that a clean-up finds it whatever happens; and with its
 * load, since a clean-up drops what no load refers to.
 */
function reservePartition(
  pool: Pool,
  table: GeneratedTable,
  { id, uuid, number }: RunningLoad,
  isDistributed: boolean,
): Promise<Partition> {
  return withTransaction(pool, async (client) => {
    const partition = await registerPartition(client, table, rangeOf(number))
    const { rowCount } = await client.query(
      `update loads set partition_id = $2, distributed = $3 where id = $1 and state = 'running'`,
      [id, partition.id, isDistributed],
    )
    if (rowCount !== 1) throw LeaseLostError.ofLoad(uuid)
    return partition
  })
}

/** What takes time and nobody waits for; returns how many rows gave way to later ones. */
async function complete(
  client: ClientBase,
  { mode }: OpenLoad,
  { rows, partition: { name } }: Filled,
): Promise<number> {
  // This comes first: while a table without a key is in a publication of all tables, nothing
  // can be deleted from it.
  await addRowKey(client, name)
  const key = mode.kind === 'upsert' ? rows.columns.find((each) => each.name === mode.key)! : null
  return key === null ? 0 : dropSuperseded(client, name, key.column)
}

/** Copies what others have put on the table to its new part, where it runs with the rights of the service. */
async function align(
  client: ClientBase,
  { tableEngine, patience }: FillParts,
  { table, mode, expects, labels }: OpenLoad,
  { rows, partition }: Filled,
): Promise<void> {
  await orInUse(async () => {
    await refuseToWrite(client, table, tableEngine, patience)
    const absent = absentColumns(expects, table, rows.columns)
    const loaded = withLabels(rows.columns, labelsIn(table, labels), table)
    const wanted = columnsOf(table, mode, [...loaded, ...absent])
    const shape = planShape(table.columns, wanted, await columnsIn(client, table.name))
    await alignPartition(client, table.name, partition.name, shape)
  })
}

function warnedOf(result: LoadResult, warnings: readonly Warning[]): LoadResult {
  const { report } = result
  return { ...result, report: { ...report, warnings: [...report.warnings, ...warnings] } }
}

/** Records what the load has brought, in the transaction that shows or stages it. */
export async function recordRows(
  tx: ClientBase,
  { uploads }: Pick<FillParts, 'uploads'>,
  { table, mode, content, running, expects, labels }: OpenLoad,
  filled: FilledLoad,
  warnings: readonly Warning[] = [],
): Promise<LoadedRows> {
  const { rows, superseded } = filled
  const result = warnedOf(filled.result, warnings)
  if (rows.rejected > 0) await rows.copyRejects(tx, await openRejects(tx, table))
  const stored = await content.stored()
  // Answers may want cells to be read anew.
  const keeps = mode.kind === 'replace' || asks(rows.mapping)
  if (stored !== null) await (keeps ? uploads.keep(tx, stored) : uploads.disown(tx, stored))
  const loaded = withLabels(result.columns.map(keptColumn), labelsIn(table, labels), table)
  const columns = [...loaded, ...absentColumns(expects, table, loaded)]
  const drift = driftFrom(table, columnsOf(table, mode, columns), columns)
  const partitionId = await recordLoaded(tx, running, {
    sent: await content.describe(),
    kept: keeps ? (stored ?? content.shared) : null,
    columns,
    result,
    rows: rows.rows,
    drift,
    mapping: rows.mapping,
    expects,
  })
  if (superseded > 0) {
    const { rowsBefore } = running
    await countSuperseded(tx, table.id, rows.table, { rowsBefore, lastOrdinal: rows.rows })
  }
  const partition = { id: partitionId, name: rows.table }
  return { loadId: running.id, mode, columns, drift, partition, timezone: rows.timezone }
}
