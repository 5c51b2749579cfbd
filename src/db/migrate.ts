import type { Knex } from 'knex'

import { DatabaseClient } from './client.ts'
import {
  LockTimeoutError,
  TransactionConflictError,
  translateDatabaseError,
} from './database-errors.ts'
import { EarlierSchemaError, LaterSchemaError } from './later-schema.ts'
import { LOCKS, lockUntilUnlocked } from './locks.ts'
import { createMigrationSource, knownMigrations } from './migration-source.ts'
import { every, systemClock, waitFor } from '../time/clock.ts'
import { connectionSettings } from './pool.ts'

/** Is told how far it has come, since a migration of many rows takes minutes. */
export interface MigrationTeller {
  begins(migration: string, number: number, of: number): void
  goesOn(migration: string, seconds: number): void
  ended(migration: string, seconds: number): void
  /** Others use what it would change; all of it is undone, and tried again. */
  waits(reason: string): void
}

interface MigrateOptions {
  readonly source?: Knex.MigrationSource<unknown>
  readonly tell?: MigrationTeller
  /** Ends the wait for others. */
  readonly signal?: AbortSignal
  /** Fails where an earlier version has been: only an empty database is filled. */
  readonly refusesEarlier?: boolean
}

const TELL_EVERY_MS = 10_000

/**
 * Whoever wants the same table meanwhile waits behind the migration, so it waits for as short a time as
 * will do: by a second more each time, or it would never come to its end beside long loads.
 */
const LOCK_WITHIN_MS = 1000
const LONGEST_LOCK_MS = 20_000
const PAUSE_MS = 250

const NEVER = new AbortController().signal

/**
 * Brings the database up to date and returns the names of the migrations that ran. Any number of
 * processes may do so at once: one does the work, the others wait and find nothing left to do. All
 * missing migrations run in one transaction, so a failure leaves the database as it was. Processes of
 * an earlier version may still be at work in it: while they are in the way, it is tried again.
 */
export async function migrate(url: string, options: MigrateOptions = {}): Promise<string[]> {
  const client = new DatabaseClient(connectionSettings(url))
  // If the connection is lost, the query under way reports it.
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query(lockUntilUnlocked(LOCKS.migration))
    const source = options.source ?? createMigrationSource()
    const known = await knownMigrations(source)
    const ran = await migrationsThatRan(client, known, options)
    if (ran === known.length) return []
    return await onceNobodyIsInTheWay(
      (lockTimeoutMs) => runMigrations(url, { ...options, source, ran, lockTimeoutMs }),
      options,
    )
  } catch (error) {
    throw translateDatabaseError(error, describeServer(url))
  } finally {
    await client.end()
  }
}

async function onceNobodyIsInTheWay<R>(
  run: (lockTimeoutMs: number) => Promise<R>,
  { tell, signal = NEVER }: MigrateOptions,
): Promise<R> {
  for (
    let withinMs = LOCK_WITHIN_MS;
    ;
    withinMs = Math.min(withinMs + LOCK_WITHIN_MS, LONGEST_LOCK_MS)
  ) {
    try {
      return await run(withinMs)
    } catch (error) {
      const known = translateDatabaseError(error)
      if (!(known instanceof LockTimeoutError || known instanceof TransactionConflictError))
        throw error
      tell?.waits(known.message)
      await waitFor(systemClock, PAUSE_MS, signal)
    }
  }
}

interface Migrating extends MigrateOptions {
  readonly source: Knex.MigrationSource<unknown>
  readonly ran: number
  readonly lockTimeoutMs: number
}

async function runMigrations(
  url: string,
  { source, tell, ran, lockTimeoutMs }: Migrating,
): Promise<string[]> {
  // Most find nothing to migrate, and many commands need it for nothing else.
  const { createKnex } = await import('./knex.ts')
  const knex = createKnex(url, { max: 2, createsIn: 'public', lockTimeoutMs })
  try {
    const config = { migrationSource: tell ? toldSource(source, ran, tell) : source }
    // Knex's own lock is a row, which a killed process leaves set for ever. Under our lock nobody
    // else can be migrating, so the row is out of date.
    await knex.migrate.forceFreeMigrationsLock(config)
    const [, names] = (await knex.migrate.latest(config)) as [number, string[]]
    return names
  } finally {
    await knex.destroy()
  }
}

/** The same migrations, of which it is told when they run. */
function toldSource(
  source: Knex.MigrationSource<unknown>,
  ran: number,
  tell: MigrationTeller,
): Knex.MigrationSource<unknown> {
  let number = 0
  return {
    getMigrations: (extensions) => source.getMigrations(extensions),
    getMigrationName: (one) => source.getMigrationName(one),
    async getMigration(one) {
      const name = source.getMigrationName(one)
      const migration = await source.getMigration(one)
      const of = (await source.getMigrations([])).length - ran
      return {
        ...migration,
        async up(knex) {
          const begun = performance.now()
          const seconds = () => Math.round((performance.now() - begun) / 1000)
          tell.begins(name, ++number, of)
          using _telling = every(TELL_EVERY_MS, () => tell.goesOn(name, seconds()))
          await migration.up(knex)
          tell.ended(name, seconds())
        },
      }
    },
  }
}

/** How many have run. Knex itself would say that the migration directory is corrupt. */
async function migrationsThatRan(
  client: DatabaseClient,
  known: readonly string[],
  { refusesEarlier = false }: MigrateOptions,
): Promise<number> {
  const { rows: tables } = await client.query<{ there: boolean }>(
    `select to_regclass('public.knex_migrations') is not null as there`,
  )
  if (!tables[0]!.there) return 0
  const { rows } = await client.query<{ name: string }>('select name from public.knex_migrations')
  const ran = rows.map(({ name }) => name)
  const refusal =
    LaterSchemaError.of(ran, known) ?? (refusesEarlier ? EarlierSchemaError.of(ran, known) : null)
  if (refusal !== null) throw refusal
  return rows.length
}

/** Host and database for messages; never the password. */
function describeServer(url: string): string {
  const { hostname, port, pathname } = new URL(url)
  return `${pathname.slice(1)} at ${hostname}:${port || '5432'}`
}
