import { ConfigError } from '../config/config.ts'
import { DatabaseError, translateDatabaseError } from '../db/database-errors.ts'
import { FolderBusyError } from '../db/embedded/index.ts'
import { PeopleError } from '../domain/people/people.ts'
import { TableEngineError } from '../domain/tables/table-engine.ts'
import { StorageError } from '../storage/storage-error.ts'
import { CliError } from './cli-error.ts'

const EXPECTED = [
  ConfigError,
  DatabaseError,
  FolderBusyError,
  PeopleError,
  StorageError,
  TableEngineError,
] as const

/** Runs a command's action; what the one at the terminal can mend is told without a stack. */
export function friendly<A extends unknown[]>(action: (...given: A) => Promise<void>) {
  return async (...given: A): Promise<void> => {
    try {
      await action(...given)
    } catch (error) {
      // What the product says itself comes before what the database says beneath it.
      for (const known of [error, translateDatabaseError(error)]) {
        if (known instanceof Error && EXPECTED.some((type) => known instanceof type)) {
          throw new CliError(known.message, { cause: error })
        }
      }
      throw error
    }
  }
}
