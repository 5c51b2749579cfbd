import type { ClientBase } from 'pg'

import { begin, commit, OutcomeUnknownError } from '../../../pipelines/index.ts'
import type { Ingest, LoadPlace } from '../ingest/ingest.ts'
import type { GeneratedTable } from './generated-table.ts'
import { outcomeUnknown, takenOver } from './load-failures.ts'
import { LeaseLostError } from './leases.ts'

/**
 * Changes what a table shows without loading anything: in one transaction, with a place like that
 * of a load, under the caller's lease.
 */
export async function changeTable<R>(
  { ingest }: { readonly ingest: Pick<Ingest, 'place'> },
  { enterpriseId }: Pick<GeneratedTable, 'enterpriseId'>,
  signal: AbortSignal,
  work: (client: ClientBase) => Promise<R>,
): Promise<R> {
  try {
    using place = ingest.place({ enterprise: enterpriseId }, signal)
    const connection = await place.connect()
    let isBroken = true
    try {
      const result = await inTransaction(connection.client, place.connect, signal, work)
      isBroken = false
      return result
    } finally {
      connection.release(isBroken)
    }
  } catch (error) {
    if (error instanceof OutcomeUnknownError) throw outcomeUnknown(error)
    throw error instanceof LeaseLostError ? takenOver(error) : error
  }
}

async function inTransaction<R>(
  client: ClientBase,
  connect: LoadPlace['connect'],
  signal: AbortSignal,
  work: (client: ClientBase) => Promise<R>,
): Promise<R> {
  const transaction = await begin(client)
  let result: R
  try {
    result = await work(client)
    signal.throwIfAborted()
  } catch (error) {
    await client.query('rollback').catch((failure: Error) => failure)
    throw error
  }
  await commit(client, transaction, connect)
  return result
}
