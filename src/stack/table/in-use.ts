import {
  AlteredTableError,
  ConstraintViolationError,
  DependentObjectsError,
  ForeignKeyViolationError,
  MissingTableError,
  NotPermittedError,
  TooManyColumnsError,
  translateDatabaseError,
  UnsupportedError,
} from '../../db/database-errors.ts'
import { SourceInUseException } from '../../errors/index.ts'
import { tableMessages } from './table-messages.ts'

/**
 * Objects that others created on a table may forbid a change to it. PostgreSQL's own message may
 * name objects of another enterprise, so it is not passed on.
 */
export async function orInUse<R>(work: () => Promise<R>): Promise<R> {
  try {
    return await work()
  } catch (error) {
    throw inUse(error) ?? error
  }
}

function inUse(error: unknown) {
  const known = translateDatabaseError(error)
  if (known instanceof DependentObjectsError) {
    return new SourceInUseException(tableMessages.othersDepend(), { cause: error })
  }
  if (known instanceof ForeignKeyViolationError) {
    return new SourceInUseException(tableMessages.referenceForbids(), { cause: error })
  }
  if (known instanceof NotPermittedError) {
    return new SourceInUseException(tableMessages.notPermitted(), { cause: error })
  }
  if (
    known instanceof AlteredTableError ||
    known instanceof MissingTableError ||
    known instanceof UnsupportedError
  ) {
    return new SourceInUseException(tableMessages.othersForbid(), { cause: error })
  }
  if (known instanceof TooManyColumnsError) {
    return new SourceInUseException(tableMessages.columnsUsedUp(), { cause: error })
  }
  if (known instanceof ConstraintViolationError) {
    return new SourceInUseException(tableMessages.conditionForbids(), { cause: error })
  }
  return null
}
