import type { OutcomeUnknownError } from '../../pipelines/index.ts'
import { ServiceUnavailableException } from '../errors/index.ts'
import type { LeaseLostError } from './leases.ts'
import { loadMessages } from './load-messages.ts'

const LATER = { headers: { 'retry-after': '5' } }

/** Only the database knows whether the transaction was committed. */
export const outcomeUnknown = (cause: OutcomeUnknownError) =>
  new ServiceUnavailableException(loadMessages.outcomeUnknown(), { ...LATER, cause })

export const takenOver = (cause: LeaseLostError) =>
  new ServiceUnavailableException(loadMessages.takenOver(), { ...LATER, cause })
