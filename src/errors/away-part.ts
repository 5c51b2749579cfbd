import {
  DatabaseBusyError,
  DatabaseUnavailableError,
  NodeUnavailableError,
  translateDatabaseError,
} from '../db/database-errors.ts'
import type { AwayPart } from '../resources/job.ts'
import { storageErrorIn } from './to-problem.ts'

/** The external part that is unavailable, if that is why something failed. */
export function awayPart(error: unknown): AwayPart | null {
  const translated = translateDatabaseError(error)
  if (translated instanceof NodeUnavailableError) return 'cluster'
  if (translated instanceof DatabaseUnavailableError || translated instanceof DatabaseBusyError) {
    return 'database'
  }
  return storageErrorIn(error)?.kind === 'unavailable' ? 'object-storage' : null
}
