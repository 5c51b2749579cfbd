import type { ClientBase } from 'pg'

import { begin, commit, OutcomeUnknownError } from '../../../pipelines/index.ts'
import type { Ingest } from '../ingest/ingest.ts'
import type { GeneratedTable } from './generated-table.ts'
import { outcomeUnknown, takenOver } from './load-failures.ts'
import { LeaseLostError } from './leases.ts'

/**
 * A change of what a table shows that is no load: in one transaction, with a place as a load has it,
 * under the lease of the caller.
 */
export async function changeTable<R>(
  { ingest }: { readonly ingest: Pick<Ingest, 'withConnection'> },
  { enterpriseId }: Pick<GeneratedTable, 'enterpriseId'>,
  signal: AbortSignal,
  work: (client: ClientBase) => Promise<R>,
): Promise<R> {
  try {
    return await ingest.withConnection(
      { who: { enterprise: enterpriseId }, signal },
      async ({ client }, connect) => {
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
      },
    )
  } catch (error) {
    if (error instanceof OutcomeUnknownError) throw outcomeUnknown(error)
    throw error instanceof LeaseLostError ? takenOver(error) : error
  }
}
