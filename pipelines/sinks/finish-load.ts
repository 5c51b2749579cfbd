import type { FilledTable, LoadResult, LoadTarget } from '../core/engine.ts'
import { begin, commit } from './commit.ts'
import { CopyLanes } from './copy-lanes.ts'
import { SinkError, sinkStep } from './errors.ts'
import type { LoadSession } from './load-session.ts'
import type { RejectLog } from './rejects.ts'
import { quoteName, quoteTable } from './sql.ts'
import type { TableLoad } from './table-load.ts'

interface LastSteps {
  readonly session: LoadSession
  readonly load: TableLoad
  readonly target: LoadTarget
  /** `rows` is how many were sent; PostgreSQL must have counted the same number. */
  readonly filled: FilledTable
  readonly rejects: RejectLog
  readonly signal: AbortSignal
  /** What the load amounts to. */
  describe(superseded: number): LoadResult
}

/** Ends the COPY and lets the target show its rows: all of them at once, or none. */
export async function finishLoad(steps: LastSteps): Promise<LoadResult> {
  const { session, load, target, filled, rejects, signal } = steps
  const { client } = session
  const copied = await sinkStep('ending the copy', () => load.finish())
  if (copied !== filled.rows) {
    throw new SinkError(`The database took ${copied} rows, but ${filled.rows} were sent`)
  }
  const { superseded } = await session.cancellable(signal, () => target.complete(client, filled))
  await sinkStep('storing the rows', () => load.keep())
  const result = steps.describe(superseded)
  const transaction = await sinkStep('publishing the rows', () => begin(client))
  try {
    if (rejects.count > 0) await sinkStep('keeping the rejected rows', () => copyRejects(steps))
    await session.cancellable(signal, () => target.publish(client, filled, result))
    signal.throwIfAborted()
  } catch (error) {
    // A connection that is too broken to roll back is closed by its owner, with the same effect.
    await client.query('rollback').catch((failure: Error) => failure)
    throw error
  }
  await sinkStep('committing', () => commit(client, transaction, () => session.connect()))
  return result
}

async function copyRejects({ session, target, rejects }: LastSteps): Promise<void> {
  const table = await target.openRejects(session.client)
  const columns = rejects.columns.map(quoteName).join(', ')
  const lanes = new CopyLanes(`copy ${quoteTable(table)} (${columns}) from stdin (format binary)`)
  await lanes.add(session.client)
  try {
    await rejects.copyTo(lanes)
  } catch (error) {
    await lanes.abort(error as Error)
    throw error
  }
}
