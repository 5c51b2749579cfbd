import type { LoadTarget } from '../core/engine.ts'
import type { ColumnPlan } from '../core/plan.ts'
import { commit } from './commit.ts'
import { SinkError, sinkStep } from './errors.ts'
import type { ExistingColumn } from './existing-table.ts'
import type { LoadSession } from './load-session.ts'
import { appendRows, type MergeCounts, settleKeys, upsertRows } from './merge.ts'
import { addRejects, inTransaction, replaceRejects, replaceTable } from './publish.ts'
import type { RejectLog } from './rejects.ts'
import { quoteName, quoteTable, ROW_COLUMN } from './sql.ts'
import { isOneTransaction, type TableLoad } from './table-load.ts'

export interface Publication<Result> {
  readonly session: LoadSession
  readonly load: TableLoad
  readonly target: LoadTarget
  readonly columns: readonly ColumnPlan[]
  /** Null where the table is made anew. */
  readonly existing: readonly ExistingColumn[] | null
  readonly rejects: RejectLog
  /** Rows that were sent; Postgres must have counted as many. */
  readonly expected: number
  readonly timezone: string
  readonly signal: AbortSignal
  /** What the load amounts to, once it is known what the table holds. */
  describe(rowsInTable: number, merged: MergeCounts): Result
  /** The caller's own part of the transaction. */
  hook(result: Result): Promise<void>
}

/** Ends the COPY and makes its rows visible: all of them at once, or nothing at all. */
export async function publishLoad<Result>(publication: Publication<Result>): Promise<Result> {
  const { session, load, rejects, expected, existing, signal } = publication
  const copied = await sinkStep('ending the copy', () => load.finish())
  if (copied !== expected) {
    throw new SinkError(`The database took ${copied} rows, but ${expected} were sent`)
  }
  if (rejects.count > 0) {
    await sinkStep('keeping the rejected rows', () => load.copyRejects(rejects))
  }
  let superseded = 0
  if (existing === null) {
    await session.cancellable(signal, async () => {
      superseded = await sinkStep('comparing the keys', () => settleOwnKeys(publication))
      await sinkStep('indexing the rows', () => load.staging.buildRowIndex())
    })
  }
  const result = await inTransaction(
    session.client,
    { isOpen: isOneTransaction(session) },
    () => sinkStep('committing', () => commit(session.client, () => session.connect())),
    () => session.cancellable(signal, () => makeVisible(publication, superseded)),
  )
  // Committed is committed: a connection that breaks now takes its lock with it, and no more.
  await load.staging.release().catch(() => session.markBroken())
  return result
}

/** Rows with the same key that make a table together: one of them stays. */
async function settleOwnKeys<Result>(publication: Publication<Result>): Promise<number> {
  const { session, load, target, columns } = publication
  if (target.mode.kind !== 'upsert') return 0
  const { table } = load.staging
  return settleKeys(session.client, { table, columns }, target.mode.key)
}

async function makeVisible<Result>(
  publication: Publication<Result>,
  superseded: number,
): Promise<Result> {
  const { expected, existing, describe, hook, signal } = publication
  const merged = await sinkStep('publishing the rows', async () => {
    if (existing !== null) return merge(publication, existing)
    await replace(publication)
    return { inserted: expected - superseded, updated: 0, superseded }
  })
  const rowsInTable = existing === null ? merged.inserted : await lastRow(publication)
  const result = describe(rowsInTable, merged)
  await hook(result)
  signal.throwIfAborted()
  return result
}

async function replace<Result>(publication: Publication<Result>): Promise<void> {
  const { session, load, target, columns, rejects } = publication
  await replaceTable(session.client, load.staging, target, columns)
  await replaceRejects(session.client, load.staging, target.rejects, rejects.count > 0)
}

async function merge<Result>(
  publication: Publication<Result>,
  existing: readonly ExistingColumn[],
): Promise<MergeCounts> {
  const { session, load, target, columns, rejects, timezone } = publication
  const plan = { staging: load.staging.table, target, columns, existing, timezone }
  const merged =
    target.mode.kind === 'upsert'
      ? await upsertRows(session.client, plan, target.mode.key)
      : await appendRows(session.client, plan)
  if (rejects.count > 0) await addRejects(session.client, load.staging, target.rejects)
  await load.staging.dropTables()
  return merged
}

/** Rows are dense from 1: the last ordinal is how many there are. */
async function lastRow<Result>({ session, target }: Publication<Result>): Promise<number> {
  const { rows } = await session.client.query<{ last: string }>(
    `select coalesce(max(${quoteName(ROW_COLUMN)}), 0)::text as last from ${quoteTable(target)}`,
  )
  return Number(rows[0]!.last)
}
