import type { ClientBase } from 'pg'

import { EngineError, LoadSession, OutcomeUnknownError } from '../../pipelines/index.ts'
import type { Ingest } from '../domain/ingest/ingest.ts'
import { RuleBrokenException, ServiceUnavailableException } from '../errors/index.ts'
import { LeaseLostError } from './leases.ts'
import { loadMessages } from './load-messages.ts'
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
    throw error instanceof LeaseLostError ? takenOver(error) : asRuleBroken(error)
  }
}

const LATER = { headers: { 'retry-after': '5' } }

/** Only the database knows whether the transaction was committed. */
export const outcomeUnknown = (cause: OutcomeUnknownError) =>
  new ServiceUnavailableException(loadMessages.outcomeUnknown(), { ...LATER, cause })

export const takenOver = (cause: LeaseLostError) =>
  new ServiceUnavailableException(loadMessages.takenOver(), { ...LATER, cause })

/** Where no file is at fault, rows that break a rule are in conflict with what is there. */
function asRuleBroken(error: unknown): unknown {
  if (!(error instanceof EngineError) || error.problem.kind !== 'cells') return error
  const { errors, total, byRule } = error.problem
  return new RuleBrokenException(error.text, {
    errors,
    members: { totalErrors: total, byRule: [...byRule] },
    cause: error,
  })
}
