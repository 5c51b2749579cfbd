import type { Pool } from 'pg'

import { every } from '../time/every.ts'
import { DatabaseError } from './database-errors.ts'
import { createMigrationSource } from './migration-source.ts'

/** A later version of the service has migrated the database; what it has changed is not known here. */
export class LaterSchemaError extends DatabaseError {
  override readonly name = 'LaterSchemaError'

  constructor(unknown: readonly string[]) {
    super(
      `The database is of a later version of the service, whose ${unknown.join(', ')} is not known ` +
        'to this one: start that version, or restore a backup of before it.',
    )
  }
}

interface SchemaWatch extends AsyncDisposable {
  /** Aborted with a `LaterSchemaError` as soon as a later version has migrated the database. */
  readonly outdated: AbortSignal
}

/**
 * Notices that a later version has migrated the database beneath this process, whose statements may
 * then fail, or do what they no longer should.
 */
export async function watchSchema(pool: Pool, everyMs: number): Promise<SchemaWatch> {
  const known = await knownMigrations()
  const outdated = new AbortController()
  const watching = every(everyMs, async () => {
    if (outdated.signal.aborted) return
    try {
      const { rows } = await pool.query<{ name: string }>(
        'select name from public.knex_migrations where name <> all($1) order by id',
        [known],
      )
      if (rows.length > 0) outdated.abort(new LaterSchemaError(rows.map(({ name }) => name)))
    } catch {
      // The database is away, of which others tell; it is asked again.
    }
  })
  return {
    outdated: outdated.signal,
    [Symbol.asyncDispose]: () => watching[Symbol.asyncDispose](),
  }
}

async function knownMigrations(): Promise<string[]> {
  const source = createMigrationSource()
  const migrations = await source.getMigrations([])
  return migrations.map((migration) => source.getMigrationName(migration))
}
