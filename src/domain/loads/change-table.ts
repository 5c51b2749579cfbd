import type { ClientBase } from 'pg'

import { commit, OutcomeUnknownError } from '../../../pipelines/index.ts'
import type { Ingest } from '../ingest/ingest.ts'
import { outcomeUnknown, takenOver } from './load-failures.ts'
import { type Lease, LeaseLostError, type Leases } from './leases.ts'

export interface ChangeParts {
  readonly ingest: Pick<Ingest, 'withConnection'>
  readonly leases: Leases
}

/**
 * A change of what a table shows that is no load: in one transaction, with a place as a load has it,
 * under a lease that is the caller's until this settles.
 */
export async function changeTable<R>(
  { ingest, leases }: ChangeParts,
  lease: Lease,
  signal: AbortSignal,
  work: (client: ClientBase) => Promise<R>,
  /** While the lease is still held. */
  failed: (error: unknown) => Promise<void> = async () => undefined,
): Promise<R> {
  try {
    return await ingest.withConnection(signal, async ({ client }, connect) => {
      await client.query('begin')
      let result: R
      try {
        result = await work(client)
        signal.throwIfAborted()
      } catch (error) {
        await client.query('rollback').catch((failure: Error) => failure)
        throw error
      }
      await commit(client, connect)
      return result
    })
  } catch (error) {
    await failed(error)
    await leases.giveBack(lease)
    if (error instanceof OutcomeUnknownError) throw outcomeUnknown(error)
    throw error instanceof LeaseLostError ? takenOver(error) : error
  }
}
