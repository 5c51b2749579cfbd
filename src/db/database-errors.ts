import { DatabaseError as PostgresError } from 'pg'

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

/** A row does not obey a check, or leaves empty what must not be. */
export class ConstraintViolationError extends DatabaseError {
  override readonly name = 'ConstraintViolationError'
}

/** Two transactions were in each other's way; the same again will do. */
export class TransactionConflictError extends DatabaseError {
  override readonly name = 'TransactionConflictError'
}

/** Somebody else held the lock for longer than was waited for it. */
export class LockTimeoutError extends DatabaseError {
  override readonly name = 'LockTimeoutError'
}

/** Something that is to be dropped or changed is used by something else: a view, say. */
export class DependentObjectsError extends DatabaseError {
  override readonly name = 'DependentObjectsError'
  /** PostgreSQL's own list of what depends on it, names and all. */
  readonly dependents: string

  constructor(dependents: string, options?: ErrorOptions) {
    super(`Other objects of the database depend on it: ${dependents}`, options)
    this.dependents = dependents
  }
}

/** It has another owner, kind or shape than it was given, or its rows cannot be named to a publication. */
export class AlteredTableError extends DatabaseError {
  override readonly name: string = 'AlteredTableError'
}

/** It lacks a column that it was given. */
export class MissingColumnError extends AlteredTableError {
  override readonly name = 'MissingColumnError'
}

/** It, or a table that a reference connects with it, belongs to somebody who has not given us the right. */
export class NotPermittedError extends AlteredTableError {
  override readonly name = 'NotPermittedError'
}

/** It has had as many columns as there can be, those that were dropped included. */
export class TooManyColumnsError extends DatabaseError {
  override readonly name = 'TooManyColumnsError'
}

/** There is no such table, or no such schema. */
export class MissingTableError extends DatabaseError {
  override readonly name = 'MissingTableError'
}

/** It knows what is asked for, and does not do it: a table of a cluster, say, cannot have everything. */
export class UnsupportedError extends DatabaseError {
  override readonly name = 'UnsupportedError'
}

/** It cannot be reached, is shutting down or starting, or the connection was lost. */
export class DatabaseUnavailableError extends DatabaseError {
  override readonly name: string = 'DatabaseUnavailableError'
}

/** It is there, and one of the nodes of its cluster is not, or does not let the others in. */
export class NodeUnavailableError extends DatabaseUnavailableError {
  override readonly name = 'NodeUnavailableError'
}

/** It went away while it was told to commit, or just after: what was to be changed may be. */
export class MaybeCommittedError extends DatabaseUnavailableError {
  override readonly name = 'MaybeCommittedError'
}

/** It is there, but has no connection or memory left for us. */
export class DatabaseBusyError extends DatabaseError {
  override readonly name = 'DatabaseBusyError'
}

/** It is there and does not let us in: the user, the password, the name of the database. */
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
  /** What the messages call it: its name, where it is known. */
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
  // What a trigger says against a row.
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
  // A standby after a failover.
  '25006': unavailable,
}

/** Class 22, of values; a type that does not become another; a column that the database fills itself. */
const UNFIT = /^(?:22[0-9A-Z]{3}|42846|428C9)$/

/** Whether the database refuses what was to go into a table, for what it is. */
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
 * Every socket fails with the same codes: ECONNREFUSED says that something could not be reached, and
 * only its connection knows what.
 */
export function markAsOfConnection(error: Error): void {
  Object.defineProperty(error, OF_CONNECTION, { value: true })
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
  // Of a server that wants a password where the address has none.
  { pattern: /(?:^| - )SASL: /, code: 'password', translation: refused },
  { pattern: /not queryable/, code: 'connection lost', translation: unavailable },
]

/** A cause that is its own cause ends the search, too. */
const CAUSES_FOLLOWED = 5

/**
 * The error as one of the classes above, with itself as `cause`; any other error as it is. Only what
 * PostgreSQL or its driver said counts, however deep below the errors that wrap it.
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

/** Objection wraps what the driver threw without naming it as the cause. */
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
    const known = Object.hasOwn(BY_POSTGRES_CODE, code) ? BY_POSTGRES_CODE[code] : undefined
    const translation = isConnectionFailure(code) ? unavailable : known
    return translation?.(failure, options)
  }
  if (OF_CONNECTION in found && code !== '') return unavailable(failure, options)
  const byMessage = BY_MESSAGE.find(({ pattern }) => pattern.test(found.message))
  return byMessage?.translation({ ...failure, code: byMessage.code }, options)
}

/** Class 08, but for the violation of the protocol: that one is our own mistake. */
const isConnectionFailure = (code: string): boolean =>
  /^08[0-9A-Z]{3}$/.test(code) && code !== '08P01'

/** A pooler takes no settings for a session: the next transaction may have another one. */
const isPoolerRefusal = ({ code, message }: PostgresError): boolean =>
  code === '08P01' && message.startsWith('unsupported startup parameter')

/** What Citus says of a connection from one node to another that failed, or of a COPY that broke with it. */
const OF_NODE =
  /remote node|to the node |on any active node|marked as essential|server closed the connection|connection not open|failed to (?:complete )?COPY /

/** In whatever code: one of its own, that of an internal error, or the other node's last word. */
function isNodeFailure({ code = '', message, where = '' }: PostgresError): boolean {
  if (isConnectionFailure(code) || code === '58030' || code === 'XX000') {
    return OF_NODE.test(message)
  }
  // What a node has promised and not yet committed is there for the coordinator, and not for the node.
  return /^57P0|^53300$|^42P01$|^3F000$/.test(code) && where.includes('while executing command on')
}
