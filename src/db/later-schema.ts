import type { Pool } from 'pg'

import { every } from '../time/clock.ts'
import { DatabaseError } from './database-errors.ts'
import { knownMigrations } from './migration-source.ts'

/** A later version of the service has migrated the database; what it has changed is not known here. */
export class LaterSchemaError extends DatabaseError {
  override readonly name = 'LaterSchemaError'

  private constructor(unknown: readonly string[]) {
    super(
      `The database is of a later version of the service, whose ${unknown.join(', ')} is not known ` +
        'to this one: start that version, or restore a backup of before it.',
    )
  }

  /** Null: all that have run are known. */
  static of(ran: readonly string[], known: readonly string[]): LaterSchemaError | null {
    const unknown = ran.filter((name) => !known.includes(name))
    return unknown.length > 0 ? new LaterSchemaError(unknown) : null
  }
}

/** Migrating would end the processes of the earlier version, which nobody expects of a question. */
export class EarlierSchemaError extends DatabaseError {
  override readonly name = 'EarlierSchemaError'

  private constructor(missing: readonly string[]) {
    super(
      `The database is of an earlier version of the service: ${counted(missing.length)}, ` +
        `${missing[0]} to ${missing.at(-1)}. Start this version, or run \`npm run cli -- migrate\`; ` +
        'processes of the earlier version end then.',
    )
  }

  /** Null: none is missing, or nothing is there yet. */
  static of(ran: readonly string[], known: readonly string[]): EarlierSchemaError | null {
    const missing = known.filter((name) => !ran.includes(name))
    return ran.length > 0 && missing.length > 0 ? new EarlierSchemaError(missing) : null
  }
}

const counted = (count: number) =>
  count === 1 ? '1 migration is missing' : `${count} migrations are missing`

export interface SchemaWatch extends AsyncDisposable {
  /** Aborted with a `LaterSchemaError` as soon as a later version has migrated the database. */
  readonly outdated: AbortSignal
  /** Looks now, because something went wrong that this would explain. */
  isOutdated(): Promise<boolean>
}

/**
 * Notices that a later version has migrated the database beneath this process, whose statements may
 * then fail, or do what they no longer should.
 */
export async function watchSchema(pool: Pool, everyMs: number): Promise<SchemaWatch> {
  const known = await knownMigrations()
  const outdated = new AbortController()
  const look = async () => {
    if (outdated.signal.aborted) return
    try {
      const { rows } = await pool.query<{ name: string }>(
        'select name from public.knex_migrations order by id',
      )
      const later = LaterSchemaError.of(
        rows.map(({ name }) => name),
        known,
      )
      if (later !== null) outdated.abort(later)
    } catch {
      // The database is away, of which others tell; it is asked again.
    }
  }
  const watching = every(everyMs, look)
  return {
    outdated: outdated.signal,
    async isOutdated() {
      await look()
      return outdated.signal.aborted
    },
    [Symbol.asyncDispose]: () => watching[Symbol.asyncDispose](),
  }
}
