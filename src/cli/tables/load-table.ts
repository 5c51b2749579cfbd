import type { ClientBase, Pool } from 'pg'

import {
  type CopiedRows,
  type CopyTarget,
  type Engine,
  type FilledTable,
  type IngestOptions,
  type IntakeControl,
  type LoadConnection,
  type LoadResult,
  LoadSession,
  type DataSource,
  type TableName,
  type Warning,
} from '../../../pipelines/index.ts'

export type Connect = () => Promise<LoadConnection>

export const connectTo =
  (pool: Pool): Connect =>
  async () => {
    const client = await pool.connect()
    return { client, release: (broken) => client.release(broken) }
  }

/** A table outside the service: nothing is known about it except what the database says. */
export interface LoadTarget extends CopyTarget, Pick<IntakeControl, 'columns' | 'key'> {
  readonly connect: Connect
  /** Whether its rows are spread over the nodes of a cluster. */
  readonly isDistributed: boolean
  /** When all rows are in, for work that takes time; returns how many gave way to later ones. */
  complete(client: ClientBase, filled: FilledTable): Promise<number>
  /** Creates the table for rejects if there is none. */
  openRejects(client: ClientBase): Promise<TableName>
  /** Before that, and together with it: refuses rows that break a rule with others. */
  judge(client: ClientBase, filled: CopiedRows): Promise<readonly Warning[]>
  /** Puts the rows in place; returns how many the table then holds. */
  publish(client: ClientBase, filled: CopiedRows): Promise<number>
  /** Drops what a failed load leaves behind. */
  drop(client: ClientBase): Promise<void>
}

interface LoadedTable extends LoadResult {
  readonly rowsInTable: number
}

/** Reads the source into the table, all of it or nothing. */
export async function loadTable(
  engine: Engine,
  source: DataSource,
  options: IngestOptions,
  target: LoadTarget,
  control: Pick<IntakeControl, 'signal' | 'onProgress'>,
): Promise<LoadedTable> {
  const { columns, key, connect } = target
  const { signal } = control
  await using intake = await engine.open(source, options, { ...control, columns, key })
  try {
    using session = await LoadSession.open(connect)
    await using copied = await intake.copyInto(target, session)
    const superseded = await session.cancellable(signal, () =>
      copied.keep((client) => target.complete(client, copied)),
    )
    const result = copied.describe(superseded)
    const [rowsInTable, broken] = await session.transaction(signal, async (client) => {
      const judged = await target.judge(client, copied)
      if (copied.rejected > 0) await copied.copyRejects(client, await target.openRejects(client))
      return [await target.publish(client, copied), judged] as const
    })
    const warnings = [...result.report.warnings, ...broken]
    return { ...result, report: { ...result.report, warnings }, rowsInTable }
  } catch (error) {
    // If this fails, too, the next load finds the table.
    await withConnection(connect, (client) => target.drop(client)).catch(() => undefined)
    throw error
  }
}

/** A connection for one piece of work; if the work fails, the connection is not used again. */
export async function withConnection<R>(
  connect: Connect,
  work: (client: ClientBase) => Promise<R>,
): Promise<R> {
  const { client, release } = await connect()
  let isBroken = true
  try {
    const result = await work(client)
    isBroken = false
    return result
  } finally {
    release(isBroken)
  }
}
