import type { ClientBase } from 'pg'

import { EngineError } from '../../pipelines/index.ts'
import { SourceLoadConflictException } from '../errors/index.ts'
import { copyPartition } from './table/copy-partition.ts'
import { type Partition, readAttached, readPartitions, rangeOf } from './table/partitions.ts'
import { changeTable } from './change-table.ts'
import type { Lease } from './leases.ts'
import { type Load, type LoadMode, modeOf } from './load.ts'
import { loadMessages } from './load-messages.ts'
import { readTable } from './look.ts'
import { publishRows } from './publish.ts'
import type { LoadsParts, Work } from './fill/run-load.ts'
import type { GeneratedTable } from './stack.ts'
import { isWider } from './table/stored-column.ts'

interface StagedPublication {
  /** As it was before the lease was taken. */
  readonly load: Load
  readonly lease: Lease
  /** What people have said of its headers; null: nothing more. */
  readonly answers: Load['answers']
}

/** Shows a staged load, applied to what the table shows by now. */
export async function publishStaged(
  parts: LoadsParts,
  { load, lease, answers }: StagedPublication,
  { signal, seal }: Pick<Work, 'signal' | 'seal'>,
): Promise<void> {
  const table = await readTable(parts.pool, load.tableId)
  await changeTable(parts, table, signal, async (client) => {
    const found = await requireStaged(client, table, load)
    if (answers !== null && answers !== undefined) await recordAnswers(client, load, answers)
    const mode = modeOf(load)
    requireColumns(table, load, mode)
    const partition =
      mode.kind === 'replace'
        ? found
        : await behindOthers(client, parts, table, { load, partition: found })
    const { id: loadId, columns } = load
    const rows = { loadId, mode, columns, drift: null, partition, timezone: 'UTC' }
    await publishRows(client, parts, { table, lease }, rows).catch((error: unknown) => {
      throw isOfOptions(error)
        ? new SourceLoadConflictException(error.text, { cause: error })
        : error
    })
    await seal(client, table.enterpriseId)
  })
  parts.housekeeping.after(table.id)
}

async function requireStaged(
  client: ClientBase,
  table: GeneratedTable,
  load: Load,
): Promise<Partition> {
  const { rows } = await client.query<{ partition_id: number }>(
    `select partition_id from loads where id = $1 and state = 'staged' for update`,
    [load.id],
  )
  const [row] = rows
  if (row === undefined) throw new SourceLoadConflictException(loadMessages.notStaged())
  const [partition] = await readPartitions(client, table, [row.partition_id])
  return partition!
}

const recordAnswers = (client: ClientBase, { id }: Load, answers: Load['answers']) =>
  client.query(`update loads set answers = $2, questions = '[]' where id = $1`, [
    id,
    JSON.stringify(answers),
  ])

/** The table may have changed since the rows were checked against its columns. */
function requireColumns(table: GeneratedTable, load: Load, mode: LoadMode): void {
  if (mode.kind === 'replace') return
  const known = new Map(table.columns.map((column) => [column.column, column]))
  const unlike = load.columns.filter(({ column, sqlType }) => {
    const there = known.get(column)
    return (
      there !== undefined &&
      there.sqlType !== sqlType &&
      !isWider(there.sqlType, sqlType) &&
      !isWider(sqlType, there.sqlType)
    )
  })
  if (unlike.length === 0) return
  const columns = unlike.map(({ name }) => name)
  throw new SourceLoadConflictException(loadMessages.columnsGone({ columns }))
}

/** The key was an option of the load; by now it is the table that does not go with it. */
const isOfOptions = (error: unknown): error is EngineError =>
  error instanceof EngineError && error.problem.kind === 'options'

/**
 * Added rows come after all others, but loads that were published in the meantime have higher row
 * numbers.
 */
async function behindOthers(
  client: ClientBase,
  { tableEngine }: LoadsParts,
  table: GeneratedTable,
  { load, partition }: { readonly load: Load; readonly partition: Partition },
): Promise<Partition> {
  const attached = await readAttached(client, table)
  if (attached.every(({ range }) => range.to <= partition.range.from)) return partition
  const { rows } = await client.query<{ number: number }>(
    `update generated_tables set load_count = load_count + 1 where id = $1
     returning load_count as number`,
    [table.id],
  )
  const range = rangeOf(rows[0]!.number)
  const copy = await copyPartition(client, tableEngine, { table, partition }, { range })
  await client.query('update loads set rows_before = $2 where id = $1', [
    load.id,
    String(range.from),
  ])
  return copy
}
