import { tmpdir } from 'node:os'
import { dirname } from 'node:path'

import { DatabaseError as PostgresError } from 'pg'

import { Catalogue, EngineError } from '../../pipelines/index.ts'
import { DatabaseError, translateDatabaseError } from '../db/database-errors.ts'
import { OwnTableError } from '../domain/tables/own-table.ts'
import { EmbeddedPostgresError } from '../db/embedded/index.ts'
import { FolderError } from '../start/writable-folder.ts'
import { isSayable } from '../start/sentence-for.ts'
import { StartError } from '../start/start-error.ts'
import { StorageError } from '../storage/storage-error.ts'
import { CliError } from './cli-error.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { RemoteFileError } from './remote-file.ts'

export interface Failure {
  readonly exitCode: ExitCode
  readonly message: string
  /** What the engine says of the file, for programs. */
  readonly problem?: unknown
  /** Where it happened, for whoever can mend the program. */
  readonly stack?: string
}

const AWAY = [DatabaseError, EmbeddedPostgresError, StorageError] as const

/** Why a command failed, in words for the one at the terminal, and what it ends with. */
export function failureOf(thrown: unknown): Failure {
  const remote = causeOf(thrown, RemoteFileError)
  if (remote !== null) return { exitCode: EXIT.connection, message: remote.message }
  const own = causeOf(thrown, OwnTableError)
  if (own !== null) return { exitCode: EXIT.data, message: own.message }
  const error = temporaryFolderError(thrown) ?? thrown
  if (error instanceof EngineError) {
    const problem = Catalogue.empty.sayAll(error.problem, 'en')
    const exitCode = error.problem.kind === 'options' ? EXIT.usage : EXIT.data
    return { exitCode, message: error.message, problem }
  }
  if (error instanceof StartError) return { exitCode: EXIT.connection, message: error.message }
  if (error instanceof CliError) return { exitCode: EXIT.usage, message: error.message }
  // What the product says itself comes before what the database says beneath it.
  for (const known of [error, translateDatabaseError(error)]) {
    if (AWAY.some((type) => known instanceof type)) {
      return { exitCode: EXIT.connection, message: withReason(known as Error) }
    }
    if (isSayable(known)) return { exitCode: EXIT.usage, message: known.message }
  }
  const refusal = causeOf(error, PostgresError)
  if (refusal !== null) return { exitCode: EXIT.connection, message: refusal.message }
  const { message, stack = message } = error instanceof Error ? error : new Error(String(error))
  return { exitCode: EXIT.fault, message, stack }
}

/** The rooms between wrap what was thrown first. */
function causeOf<E extends Error>(
  error: unknown,
  type: abstract new (...given: never[]) => E,
): E | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof type) return cause
    if (cause.cause === cause) return null
  }
  return null
}

function withReason({ message, cause }: Error): string {
  const said = causeOf(cause, PostgresError) ?? (cause instanceof Error ? cause : null)
  const reason = said === null || said.message === message ? '' : `: ${said.message}`
  return `${message.replace(/\.$/, '')}${reason}`
}

/** The engine met a folder for temporary files in which it cannot make any. */
function temporaryFolderError(error: unknown): FolderError | null {
  const { syscall, path } = (error ?? {}) as NodeJS.ErrnoException
  const isTemporary = syscall === 'open' && path !== undefined && dirname(path) === tmpdir()
  return isTemporary ? new FolderError(tmpdir(), 'TMPDIR', error) : null
}
