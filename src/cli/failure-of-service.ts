import { tmpdir } from 'node:os'
import { dirname } from 'node:path'

import { DatabaseError as PostgresError } from 'pg'

import { DatabaseError, translateDatabaseError } from '../db/database-errors.ts'
import { EmbeddedPostgresError } from '../db/embedded/index.ts'
import { FolderError } from '../start/writable-folder.ts'
import { isSayable } from '../start/sentence-for.ts'
import { StartError } from '../start/start-error.ts'
import { StorageError } from '../storage/storage-error.ts'
import { causeOf } from './cause-of.ts'
import { EXIT } from './exit-codes.ts'
import type { CommandFailure } from './failure.ts'

const AWAY = [DatabaseError, EmbeddedPostgresError, StorageError] as const

/** What is wrong with the database, the storage, the settings or the program. */
export function failureOfService(thrown: unknown): CommandFailure {
  const error = temporaryFolderError(thrown) ?? thrown
  if (error instanceof StartError) return { exitCode: EXIT.connection, message: error.message }
  // Our own errors take precedence over the database error that caused them.
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

function withReason({ message, cause }: Error): string {
  const said = causeOf(cause, PostgresError) ?? (cause instanceof Error ? cause : null)
  const reason = said === null || said.message === message ? '' : `: ${said.message}`
  return `${message.replace(/\.$/, '')}${reason}`
}

/** The engine found a folder for temporary files in which it cannot create any. */
function temporaryFolderError(error: unknown): FolderError | null {
  const { syscall, path } = (error ?? {}) as NodeJS.ErrnoException
  const isTemporary = syscall === 'open' && path !== undefined && dirname(path) === tmpdir()
  return isTemporary ? new FolderError(tmpdir(), 'TMPDIR', error) : null
}
