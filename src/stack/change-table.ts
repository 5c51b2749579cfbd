import type { ClientBase } from 'pg'

import { LoadSession, OutcomeUnknownError } from '../../pipelines/index.ts'
import type { Ingest } from '../domain/ingest/ingest.ts'
import { outcomeUnknown, takenOver } from './load-failures.ts'
import { LeaseLostError } from './leases.ts'
import type { GeneratedTable } from './stack.ts'

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
    using session = await LoadSession.open(place.connect)
    return await session.transaction(signal, work)
  } catch (error) {
    if (error instanceof OutcomeUnknownError) throw outcomeUnknown(error)
    throw error instanceof LeaseLostError ? takenOver(error) : error
  }
}
