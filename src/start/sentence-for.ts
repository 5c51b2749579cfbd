import { ConfigError } from '../config/config.ts'
import { DatabaseError, translateDatabaseError } from '../db/database-errors.ts'
import { EmbeddedPostgresError } from '../db/embedded/index.ts'
import { SqlUserError } from '../domain/sql-users/sql-users.ts'
import { TableEngineError } from '../stack/table/table-engine.ts'
import { Problem } from '../errors/problem.ts'
import { EncryptionKeysError } from '../security/encryption-keys.ts'
import { FolderError } from './writable-folder.ts'
import { ListenError } from '../http/listen.ts'
import { StartError } from './start-error.ts'
import { TokensIssuedElsewhereError } from '../security/tokens.ts'
import { StorageError } from '../storage/storage-error.ts'

const EXPECTED = [
  ConfigError,
  DatabaseError,
  EmbeddedPostgresError,
  EncryptionKeysError,
  FolderError,
  ListenError,
  Problem,
  SqlUserError,
  StartError,
  StorageError,
  TableEngineError,
  TokensIssuedElsewhereError,
] as const

/**
 * An explanation of what the person who started the process can fix; null for errors that need a
 * stack trace.
 */
export function sentenceFor(error: unknown): string | null {
  // Our own errors take precedence over the database error that caused them.
  for (const known of [error, translateDatabaseError(error)]) {
    if (isSayable(known)) return known.message
  }
  return null
}

/** An error with a message for people, which says what they can fix. */
export const isSayable = (error: unknown): error is Error =>
  EXPECTED.some((type) => error instanceof type)
