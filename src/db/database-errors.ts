import { DatabaseError as PostgresError } from 'pg'

/**
 * The refusals of the database, as classes that the product can act on. PostgreSQL's error codes
 * are read here and nowhere else.
 */
export class DatabaseError extends Error {
  override readonly name: string = 'DatabaseError'
}

/** Something with that name or key already exists. */
export class UniqueViolationError extends DatabaseError {
  override readonly name = 'UniqueViolationError'
  readonly constraint: string

  constructor(constraint: string, options?: ErrorOptions) {
    super(`A row with the same value exists already (${constraint}).`, options)
    this.constraint = constraint
  }
}

/** A row refers to one that does not exist, or is still referred to. */
export class ForeignKeyViolationError extends DatabaseError {
  override readonly name = 'ForeignKeyViolationError'
  readonly constraint: string

  constructor(constraint: string, options?: ErrorOptions) {
    super(`A related row is missing or still in use (${constraint}).`, options)
    this.constraint = constraint
  }
}

/** A row violates a check, or lacks a required value. */
export class ConstraintViolationError extends DatabaseError {
  override readonly name = 'ConstraintViolationError'
}

/** Two transactions got in each other's way; trying again will work. */
export class TransactionConflictError extends DatabaseError {
  override readonly name = 'TransactionConflictError'
}

/** Another session held the lock for longer than the limit. */
export class LockTimeoutError extends DatabaseError {
  override readonly name = 'LockTimeoutError'
}

/** Something to be dropped or changed is used by something else, such as a view. */
export class DependentObjectsError extends DatabaseError {
  override readonly name = 'DependentObjectsError'
  /** PostgreSQL's own list of the dependent objects, including their names. */
  readonly dependents: string

  constructor(dependents: string, options?: ErrorOptions) {
    super(`Other objects of the database depend on it: ${dependents}`, options)
    this.dependents = dependents
  }
}

/**
 * The object no longer has the owner, kind or shape that it was created with, or its rows cannot
 * be identified for a publication.
 */
export class AlteredTableError extends DatabaseError {
  override readonly name: string = 'AlteredTableError'
}

/** It lacks a column that it was created with. */
export class MissingColumnError extends AlteredTableError {
  override readonly name = 'MissingColumnError'
}

/** The service has no right to it, or to a table that a reference connects with it. */
export class NotPermittedError extends AlteredTableError {
  override readonly name = 'NotPermittedError'
}

/** It has had the maximum number of columns, counting those that were dropped. */
export class TooManyColumnsError extends DatabaseError {
  override readonly name = 'TooManyColumnsError'
}

/** There is no such table or schema. */
export class MissingTableError extends DatabaseError {
  override readonly name = 'MissingTableError'
}

/**
 * The database knows the operation but does not support it here; tables of a cluster, for example,
 * cannot have everything.
 */
export class UnsupportedError extends DatabaseError {
  override readonly name = 'UnsupportedError'
}

/** It cannot be reached, is shutting down or starting, or the connection was lost. */
export class DatabaseUnavailableError extends DatabaseError {
  override readonly name: string = 'DatabaseUnavailableError'
}

/** The database is available, but a node of its cluster is not, or does not accept the others. */
export class NodeUnavailableError extends DatabaseUnavailableError {
  override readonly name = 'NodeUnavailableError'
}

/** The connection was lost during or just after the commit, so the change may have been made. */
export class MaybeCommittedError extends DatabaseUnavailableError {
  override readonly name = 'MaybeCommittedError'
}

/** It is available but has no connection or memory left. */
export class DatabaseBusyError extends DatabaseError {
  override readonly name = 'DatabaseBusyError'
}

/** It is available but refuses the connection: wrong user, password or database name. */
class DatabaseRefusedError extends DatabaseError {
  override readonly name = 'DatabaseRefusedError'
}

/** It took longer than STATEMENT_TIMEOUT, or nobody waits for it any more. */
export class StatementCancelledError extends DatabaseError {
  override readonly name = 'StatementCancelledError'
}

export class DatabaseFullError extends DatabaseError {
  override readonly name = 'DatabaseFullError'
}

interface Failure {
  readonly code: string
  readonly constraint: string
  readonly detail: string
  /** What messages call it: its name, if known. */
  readonly database: string
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
const refused: Translation = ({ server, code }, options) =>
  new DatabaseRefusedError(
    `The database ${server} refuses the user or the password (${code}).`,
    options,
  )
const noDatabase: Translation = ({ database, code }, options) =>
  new DatabaseRefusedError(`There is no database ${database} (${code}).`, options)
const behindPooler: Translation = ({ server }, options) =>
  new DatabaseRefusedError(
    `The address of the database ${server} leads to a pooler: name the server itself in DATABASE_SESSION_URL, ` +
      'beside the pooler in DATABASE_URL.',
    options,
  )
const full: Translation = ({ server }, options) =>
  new DatabaseFullError(`The database ${server} has no space left on its disk.`, options)
const forbidden: Translation = ({ constraint }, options) =>
  new ConstraintViolationError(`A row is forbidden (${constraint}).`, options)
const missing: Translation = ({ code }, options) =>
  new MissingTableError(`There is no such table (${code}).`, options)
const conflict: Translation = ({ code }, options) =>
  new TransactionConflictError(`Two transactions were in each other's way (${code}).`, options)

const altered: Translation = ({ code }, options) =>
  new AlteredTableError(`The table is not as it was made (${code}).`, options)

const unsupported: Translation = ({ code }, options) =>
  new UnsupportedError(`The database does not support that (${code}).`, options)

const BY_POSTGRES_CODE: Readonly<Record<string, Translation>> = {
  '23505': ({ constraint }, options) => new UniqueViolationError(constraint, options),
  '23503': ({ constraint }, options) => new ForeignKeyViolationError(constraint, options),
  '23001': ({ constraint }, options) => new ForeignKeyViolationError(constraint, options),
  '23502': forbidden,
  '23514': forbidden,
  '0A000': unsupported,
  '42P16': unsupported,
  '42501': ({ code }, options) =>
    new NotPermittedError(`The database does not permit that (${code}).`, options),
  '42804': altered,
  '42809': altered,
  '42P10': altered,
  '55000': altered,
  '42703': ({ code }, options) =>
    new MissingColumnError(`The table lacks a column (${code}).`, options),
  '54011': ({ code }, options) =>
    new TooManyColumnsError(`The table has had too many columns (${code}).`, options),
  // Raised by a trigger that refuses a row.
  P0001: forbidden,
  '2BP01': ({ detail }, options) => new DependentObjectsError(detail, options),
  '28000': refused,
  '28P01': refused,
  '3D000': noDatabase,
  '3F000': missing,
  '42P01': missing,
  '55P03': (_failure, options) =>
    new LockTimeoutError('Others held the lock for too long.', options),
  '40001': conflict,
  '40P01': conflict,
  '53100': full,
  '53200': busy,
  '53300': busy,
  '57014': (_failure, options) =>
    new StatementCancelledError('The statement took too long and was cancelled.', options),
  '57P01': unavailable,
  '57P02': unavailable,
  '57P03': unavailable,
  '57P05': unavailable,
  // A server that became a standby after a failover.
  '25006': unavailable,
}

/**
 * Class 22 (data exceptions), a type that cannot be converted, and a column that the database
 * fills itself.
 */
const UNFIT = /^(?:22[0-9A-Z]{3}|42846|428C9)$/

/** Whether the database refuses rows because of what is in them. */
export function refusesRows(error: unknown): error is PostgresError {
  if (!(error instanceof PostgresError)) return false
  const known = translateDatabaseError(error)
  const isForbidden =
    known instanceof ConstraintViolationError ||
    known instanceof ForeignKeyViolationError ||
    known instanceof UniqueViolationError
  return isForbidden || UNFIT.test(error.code ?? '')
}

const OF_CONNECTION = Symbol('of a connection to the database')

/**
 * Marks an error as one of the database connection: every socket fails with the same codes, so
 * ECONNREFUSED alone does not say what could not be reached.
 */
export function markAsOfConnection(error: Error): void {
  Object.defineProperty(error, OF_CONNECTION, { value: true })
}

/** Errors of the drivers have no code, only a text, which Knex prefixes with the statement. */
const BY_MESSAGE: readonly { pattern: RegExp; code: string; translation: Translation }[] = [
  {
    pattern: /(?:^| - )Connection terminated[\w ]*$/,
    code: 'connection lost',
    translation: unavailable,
  },
  { pattern: /(?:^| - )timeout exceeded when trying[\w ]*$/, code: 'timeout', translation: busy },
  { pattern: /Timeout acquiring a connection/, code: 'timeout', translation: busy },
  // The server wants a password and the address has none.
  { pattern: /(?:^| - )SASL: /, code: 'password', translation: refused },
  { pattern: /not queryable/, code: 'connection lost', translation: unavailable },
]

/** The limit also ends the search if an error is its own cause. */
const CAUSES_FOLLOWED = 5

/**
 * Returns the error as one of the classes above, with itself as `cause`; any other error is
 * returned unchanged. Only what PostgreSQL or its driver reported counts, however many errors wrap
 * it.
 */
export function translateDatabaseError(error: unknown, server: string | null = null): unknown {
  let cause = error
  for (let depth = 0; depth < CAUSES_FOLLOWED && cause instanceof Error; depth += 1) {
    if (cause instanceof DatabaseError) return cause
    const translated = translateOne(cause, error, server)
    if (translated !== undefined) return translated
    cause = nativeError(cause) ?? cause.cause
  }
  return error
}

/** Objection wraps the driver's error without setting it as the cause. */
function nativeError(error: Error): unknown {
  return 'nativeError' in error ? error.nativeError : undefined
}

function translateOne(
  found: Error,
  outer: unknown,
  named: string | null,
): DatabaseError | undefined {
  const options = { cause: outer }
  const { code = '', constraint = '', detail = '' } = found as Partial<PostgresError>
  const server = named ?? 'server'
  const failure = { code, constraint, detail, database: named ?? 'of that name', server }
  if (found instanceof PostgresError) {
    if (isNodeFailure(found)) {
      return new NodeUnavailableError(
        `A node of the cluster${named === null ? '' : ` of ${named}`} cannot be reached (${code}).`,
        options,
      )
    }
    if (code === 'XX000' && /not supported/.test(found.message))
      return unsupported(failure, options)
    if (isPoolerRefusal(found)) return behindPooler(failure, options)
    if (isOfPooler(found)) {
      return (REFUSED_BY_POOLER.test(found.message) ? refused : unavailable)(failure, options)
    }
    const known = Object.hasOwn(BY_POSTGRES_CODE, code) ? BY_POSTGRES_CODE[code] : undefined
    const translation = isConnectionFailure(code) ? unavailable : known
    return translation?.(failure, options)
  }
  if (OF_CONNECTION in found && code !== '') return unavailable(failure, options)
  const byMessage = BY_MESSAGE.find(({ pattern }) => pattern.test(found.message))
  return byMessage?.translation({ ...failure, code: byMessage.code }, options)
}

/** Class 08, except for protocol violations, which are our own mistake or said by a pooler. */
const isConnectionFailure = (code: string): boolean =>
  /^08[0-9A-Z]{3}$/.test(code) && code !== '08P01'

/** A pooler accepts no session settings, since the next transaction may use another session. */
const isPoolerRefusal = ({ code, message }: PostgresError): boolean =>
  code === '08P01' && message.startsWith('unsupported startup parameter')

/**
 * PgBouncer says everything with the code of a protocol violation: that its server is away
 * (`server_login_retry`), that it has waited for too long, that it stops. Of its own errors
 * PostgreSQL always tells the routine.
 */
const isOfPooler = ({ code, routine }: PostgresError): boolean =>
  code === '08P01' && routine === undefined

/** What does not become right by waiting; it hands on what its server says of a login, too. */
const REFUSED_BY_POOLER = /^no such (?:database|user)|authentication failed|" does not exist$/

/** How Citus reports that a connection between nodes failed, or that a COPY broke with it. */
const OF_NODE =
  /remote node|to the node |on any active node|marked as essential|server closed the connection|connection not open|failed to (?:complete )?COPY /

/** The code varies: one of its own, that of an internal error, or the other node's last error. */
function isNodeFailure({ code = '', message, where = '' }: PostgresError): boolean {
  if (isConnectionFailure(code) || code === '58030' || code === 'XX000') {
    return OF_NODE.test(message)
  }
  // What a node has promised but not yet committed exists for the coordinator and not for the
  // node.
  return /^57P0|^53300$|^42P01$|^3F000$/.test(code) && where.includes('while executing command on')
}
