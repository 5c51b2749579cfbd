/**
 * What the database refuses, as classes the product can act on. PostgreSQL's codes are read here
 * and nowhere else.
 */
export class DatabaseError extends Error {
  override readonly name: string = 'DatabaseError'
}

/** Something of that name, or in that place, is there already. */
export class UniqueViolationError extends DatabaseError {
  override readonly name = 'UniqueViolationError'
  readonly constraint: string

  constructor(constraint: string, options?: ErrorOptions) {
    super(`A row with the same value exists already (${constraint}).`, options)
    this.constraint = constraint
  }
}

/** A row points at another that is not there, or is still pointed at. */
export class ForeignKeyViolationError extends DatabaseError {
  override readonly name = 'ForeignKeyViolationError'
  readonly constraint: string

  constructor(constraint: string, options?: ErrorOptions) {
    super(`A related row is missing or still in use (${constraint}).`, options)
    this.constraint = constraint
  }
}

/** Two transactions were in each other's way; the same again will do. */
export class TransactionConflictError extends DatabaseError {
  override readonly name = 'TransactionConflictError'
}

/** It cannot be reached, is shutting down or starting, or the connection was lost. */
export class DatabaseUnavailableError extends DatabaseError {
  override readonly name = 'DatabaseUnavailableError'
}

/** It is there, but has no connection or memory left for us. */
export class DatabaseBusyError extends DatabaseError {
  override readonly name = 'DatabaseBusyError'
}

export class DatabaseFullError extends DatabaseError {
  override readonly name = 'DatabaseFullError'
}

interface Failure {
  readonly code: string
  readonly constraint: string
  readonly server: string
}

type Translation = (failure: Failure, options: ErrorOptions) => DatabaseError

const unavailable: Translation = ({ server, code }, options) =>
  new DatabaseUnavailableError(`The database ${server} cannot be reached (${code}).`, options)
const busy: Translation = ({ server, code }, options) =>
  new DatabaseBusyError(
    `The database ${server} has no room for another request (${code}).`,
    options,
  )
const full: Translation = ({ server }, options) =>
  new DatabaseFullError(`The database ${server} has no space left on its disk.`, options)
const conflict: Translation = ({ code }, options) =>
  new TransactionConflictError(`Two transactions were in each other's way (${code}).`, options)

const BY_CODE: Readonly<Record<string, Translation>> = {
  '23505': ({ constraint }, options) => new UniqueViolationError(constraint, options),
  '23503': ({ constraint }, options) => new ForeignKeyViolationError(constraint, options),
  '23001': ({ constraint }, options) => new ForeignKeyViolationError(constraint, options),
  '40001': conflict,
  '40P01': conflict,
  '53100': full,
  '53200': busy,
  '53300': busy,
  '57P01': unavailable,
  '57P02': unavailable,
  '57P03': unavailable,
  '57P05': unavailable,
  // A standby after a failover.
  '25006': unavailable,
  ECONNREFUSED: unavailable,
  ECONNRESET: unavailable,
  ECONNABORTED: unavailable,
  EPIPE: unavailable,
  ETIMEDOUT: unavailable,
  EHOSTUNREACH: unavailable,
  ENETUNREACH: unavailable,
  ENOTFOUND: unavailable,
  EAI_AGAIN: unavailable,
}

/** The drivers' own failures carry no code, only a text, before which Knex puts the statement. */
const BY_MESSAGE: readonly { pattern: RegExp; code: string; translation: Translation }[] = [
  {
    pattern: /(?:^| - )Connection terminated[\w ]*$/,
    code: 'connection lost',
    translation: unavailable,
  },
  { pattern: /(?:^| - )timeout exceeded when trying[\w ]*$/, code: 'timeout', translation: busy },
  { pattern: /Timeout acquiring a connection/, code: 'timeout', translation: busy },
  { pattern: /not queryable/, code: 'connection lost', translation: unavailable },
]

/** A cause that is its own cause ends the search, too. */
const CAUSES_FOLLOWED = 5

/** The error as one of the classes above, with itself as `cause`; any other error as it is. */
export function translateDatabaseError(error: unknown, server = 'server'): unknown {
  let cause = error
  for (let depth = 0; depth < CAUSES_FOLLOWED && cause instanceof Error; depth += 1) {
    if (cause instanceof DatabaseError) return cause
    const translated = translateOne(cause, error, server)
    if (translated !== undefined) return translated
    cause = nativeError(cause) ?? cause.cause
  }
  return error
}

/** Objection wraps what the driver threw without naming it as the cause. */
function nativeError(error: Error): unknown {
  return 'nativeError' in error ? error.nativeError : undefined
}

function translateOne(found: Error, outer: unknown, server: string): DatabaseError | undefined {
  const options = { cause: outer }
  const code = textOf(found, 'code')
  const constraint = textOf(found, 'constraint')
  const byCode = Object.hasOwn(BY_CODE, code) ? BY_CODE[code] : undefined
  if (byCode !== undefined) return byCode({ code, constraint, server }, options)
  if (isConnectionFailure(code)) return unavailable({ code, constraint, server }, options)
  const byMessage = BY_MESSAGE.find(({ pattern }) => pattern.test(found.message))
  return byMessage?.translation({ code: byMessage.code, constraint, server }, options)
}

/** Class 08, but for the violation of the protocol: that one is our own mistake. */
const isConnectionFailure = (code: string): boolean =>
  /^08[0-9A-Z]{3}$/.test(code) && code !== '08P01'

function textOf(error: Error, field: 'code' | 'constraint'): string {
  const value = (error as Error & Record<typeof field, unknown>)[field]
  return typeof value === 'string' ? value : ''
}
