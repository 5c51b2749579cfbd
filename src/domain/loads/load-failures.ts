import type { OutcomeUnknownError } from '../../../pipelines/index.ts'
import { ServiceUnavailableException } from '../../errors/index.ts'
import type { LeaseLostError } from './leases.ts'

const LATER = { headers: { 'retry-after': '5' } }

/** Only the database knows whether it committed. */
export const outcomeUnknown = (cause: OutcomeUnknownError) =>
  new ServiceUnavailableException(
    'The connection was lost while the rows were being made visible; look at the source before trying again',
    { ...LATER, cause },
  )

export const takenOver = (cause: LeaseLostError) =>
  new ServiceUnavailableException(
    'The database was away for too long; the load was taken for abandoned, and nothing was changed',
    { ...LATER, cause },
  )
