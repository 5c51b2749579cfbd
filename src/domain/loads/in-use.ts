import {
  ConstraintViolationError,
  DependentObjectsError,
  ForeignKeyViolationError,
  translateDatabaseError,
} from '../../db/database-errors.ts'
import { SourceInUseException } from '../../errors/index.ts'
import { loadMessages } from './messages.ts'

/**
 * What others have put on a table can forbid what is to be done to it. The names in Postgres's own
 * words may be those of another enterprise: they are not told.
 */
export async function orInUse<R>(work: Promise<R>): Promise<R> {
  try {
    return await work
  } catch (error) {
    throw inUse(error) ?? error
  }
}

function inUse(error: unknown) {
  const known = translateDatabaseError(error)
  if (known instanceof DependentObjectsError) {
    return new SourceInUseException(loadMessages.othersDepend(), { cause: error })
  }
  if (known instanceof ForeignKeyViolationError) {
    return new SourceInUseException(loadMessages.referenceForbids(), { cause: error })
  }
  if (known instanceof ConstraintViolationError) {
    return new SourceInUseException(loadMessages.conditionForbids(), { cause: error })
  }
  return null
}
