import { EngineError, SinkError } from '../../pipelines/index.ts'
import { ConnectorError, type ConnectorProblem } from '../connectors/errors.ts'
import {
  DatabaseBusyError,
  DatabaseFullError,
  DatabaseUnavailableError,
  MaybeCommittedError,
  NodeUnavailableError,
  StatementCancelledError,
  TransactionConflictError,
  translateDatabaseError,
} from '../db/database-errors.ts'
import { hasCode } from './system-codes.ts'
import { StorageError, type StorageErrorKind } from '../storage/storage-error.ts'
import * as problems from './catalogue.ts'
import { Problem, type ProblemExtras } from './problem.ts'
import { LongPageError, MOST_PAGE_BYTES } from '../resources/page.ts'
import type { ProblemMembers } from '../resources/problem.ts'
import { serviceMessages } from './service-messages.ts'

/** Of a part that is loaded when it is first needed, from files that another version has replaced. */
const NO_MODULE = ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND']

/** Of files of this process itself, such as those that loads put aside; others' are translated where they are used. */
const DISK_FULL = ['ENOSPC', 'EDQUOT']

const RETRY_AFTER = { headers: { 'retry-after': '5' } }

/** Translates errors of lower layers; an unexpected one becomes a 500 without details. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  // Asked by the engine, the service itself has refused.
  if (error instanceof SinkError && error.cause instanceof Problem) return error.cause
  if (error instanceof EngineError) return fromEngine(error)
  if (error instanceof ConnectorError) return fromConnector(error)
  if (error instanceof LongPageError) {
    const { limit, page } = error
    const detail = serviceMessages.longPage({ bytes: MOST_PAGE_BYTES, limit })
    return new problems.PageTooLargeException(detail, { members: { limit, page }, cause: error })
  }
  const translated = translateDatabaseError(error)
  if (translated instanceof DatabaseFullError) {
    return new problems.InsufficientStorageException(undefined, { cause: error })
  }
  if (
    translated instanceof DatabaseUnavailableError ||
    translated instanceof DatabaseBusyError ||
    translated instanceof TransactionConflictError
  ) {
    return new problems.ServiceUnavailableException(saidOfAway(translated), {
      ...RETRY_AFTER,
      cause: error,
    })
  }
  if (translated instanceof StatementCancelledError) {
    const detail = serviceMessages.statementTimeout()
    return new problems.ServiceUnavailableException(detail, { ...RETRY_AFTER, cause: error })
  }
  if (hasCode(error, ...NO_MODULE)) {
    const detail = serviceMessages.filesReplaced()
    return new problems.ServiceUnavailableException(detail, { ...RETRY_AFTER, cause: error })
  }
  if (hasCode(error, ...DISK_FULL)) {
    const detail = serviceMessages.temporaryFull()
    return new problems.InsufficientStorageException(detail, { cause: error })
  }
  const storage = storageErrorIn(error)
  if (storage) return FROM_STORAGE[storage.kind](storage)
  return new problems.InternalServerErrorException(undefined, { cause: error })
}

function saidOfAway(error: Error) {
  if (error instanceof NodeUnavailableError) return serviceMessages.nodeAway()
  if (error instanceof MaybeCommittedError) return serviceMessages.mayBeChanged()
  return serviceMessages.databaseAway()
}

const FROM_STORAGE: Readonly<Record<StorageErrorKind, (error: StorageError) => Problem>> = {
  // Domains report missing things themselves; here the object of an existing row is missing.
  'not-found': (cause) =>
    new problems.DocumentNotFoundException(serviceMessages.fileMissing(), { cause }),
  range: (cause) => new problems.ValidationException(serviceMessages.rangeBeyondEnd(), { cause }),
  invalid: (cause) => new problems.ValidationException(serviceMessages.storageRefuses(), { cause }),
  full: (cause) =>
    new problems.InsufficientStorageException(serviceMessages.storageFull(), { cause }),
  unavailable: (cause) =>
    new problems.ServiceUnavailableException(serviceMessages.storageAway(), {
      ...RETRY_AFTER,
      cause,
    }),
}

/** Readers wrap the errors of their source. */
export function storageErrorIn(error: unknown): StorageError | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof StorageError) return cause
    if (cause.cause === cause) return null
  }
  return null
}

function fromEngine(error: EngineError): Problem {
  const { problem } = error
  const extras: ProblemExtras = { cause: error, ...engineExtras(error) }
  switch (problem.kind) {
    case 'cells':
      return new problems.SourceDataInvalidException(error.text, extras)
    case 'structure':
      return new problems.SourceFileMalformedException(error.text, extras)
    case 'options':
      return new problems.SourceOptionsInvalidException(error.text, extras)
    case 'format':
      return new problems.SourceFileUnsupportedException(error.text, extras)
    case 'empty':
      return new problems.SourceFileEmptyException(error.text, extras)
    case 'limit':
      return new problems.SourceLimitExceededException(error.text, extras)
  }
}

function engineExtras(error: EngineError): ProblemExtras {
  const { problem } = error
  const remedies = remediesOf(error)
  switch (problem.kind) {
    case 'cells':
      return {
        errors: problem.errors,
        members: { totalErrors: problem.total, byRule: [...problem.byRule], ...remedies },
      }
    case 'options':
      return { errors: [{ pointer: problem.pointer, message: error.text }], members: remedies }
    case 'structure': {
      const { kind: _kind, all, ...place } = problem
      if (all === undefined) return { members: { ...place, ...remedies } }
      const { errors, total: totalErrors, byRule } = all
      return { errors, members: { ...place, totalErrors, byRule: [...byRule], ...remedies } }
    }
    case 'limit': {
      const { kind: _kind, ...place } = problem
      return { members: { ...place, ...remedies } }
    }
    case 'format':
    case 'empty':
      return { members: remedies }
  }
}

/** What would let the file load; absent where nothing was read of it. */
export const remediesOf = ({ remedies }: EngineError): Pick<ProblemMembers, 'remedies'> =>
  remedies === null ? {} : { remedies: [...remedies] }

function fromConnector(error: ConnectorError): Problem {
  const extras: ProblemExtras = { cause: error, ...connectorExtras(error.problem) }
  switch (error.code) {
    case 'ApiConnectionUnauthorizedException':
      return new problems.ApiConnectionUnauthorizedException(error.text, extras)
    case 'FormNotFoundException':
      return new problems.FormNotFoundException(error.text, extras)
    case 'CardNotFoundException':
      return new problems.CardNotFoundException(error.text, extras)
    case 'RemoteApplicationBusyException':
      return new problems.RemoteApplicationBusyException(error.text, extras)
    case 'RemoteApplicationTimeoutException':
      return new problems.RemoteApplicationTimeoutException(error.text, extras)
    case 'RemoteApplicationException':
      return new problems.RemoteApplicationException(error.text, extras)
    case 'ApiResourceTypeNotSupportedException':
      return new problems.ApiResourceTypeNotSupportedException(error.text, extras)
  }
}

function connectorExtras(problem: ConnectorProblem): ProblemExtras {
  return problem.kind === 'busy'
    ? { headers: { 'retry-after': String(problem.retryAfterSeconds) } }
    : {}
}
