import { setTimeout as delay } from 'node:timers/promises'

import type { ClientBase } from 'pg'

import {
  LockTimeoutError,
  TransactionConflictError,
  translateDatabaseError,
} from '../../db/database-errors.ts'
import { SourceBusyException } from '../../errors/index.ts'
import { tableMessages } from './table-messages.ts'
import { quoteTable, type TableName } from '../../../pipelines/index.ts'

/** How long a publication waits for those who read the table. */
export interface Patience {
  /** Per attempt: readers who arrive in the meantime wait behind it just as long. */
  readonly tryForMs: number
  readonly pauseMs: number
  readonly giveUpAfterMs: number
  now(): number
  sleep(ms: number): Promise<void>
}

export const PATIENCE: Patience = {
  tryForMs: 200,
  pauseMs: 100,
  giveUpAfterMs: 30_000,
  now: () => performance.now(),
  sleep: (ms) => delay(ms),
}

/** How long the records beside the switch may wait for locks: readers wait meanwhile. */
export const RECORDS_MAY_WAIT = 'set local lock_timeout = 5000'

/** SQL that locks the tables within the time left for an attempt, which begins when the query is sent. */
export type LockSql = (...names: readonly TableName[]) => string

/**
 * Does what needs exclusive access to a table, in the caller's transaction, which holds the locks
 * until it ends. It waits in short attempts, so that new readers never queue for long behind an
 * earlier one.
 */
export async function inTries(
  client: ClientBase,
  table: TableName,
  patience: Patience,
  attempt: (lock: LockSql) => Promise<void>,
): Promise<void> {
  const { tryForMs, now } = patience
  const giveUpAt = now() + patience.giveUpAfterMs
  const limit = `set local lock_timeout = ${tryForMs}`
  const lock: LockSql = (...names) =>
    names.map((name) => `${timeLeft(tryForMs)};\n${lockAlone(name)}`).join(';\n')
  await client.query('savepoint untouched')
  for (;;) {
    try {
      await client.query(limit)
      await attempt(lock)
      return
    } catch (error) {
      if (!isInTheWay(error)) throw error
      await client.query('rollback to savepoint untouched')
      if (now() >= giveUpAt) throw stillInUse(error)
    }
    await endHousekeeping(client, table)
    await patience.sleep(patience.pauseMs)
  }
}

const lockAlone = (name: TableName): string =>
  `lock table only ${quoteTable(name)} in access exclusive mode`

/** All locks share one time limit: whoever waits behind the first lock waits for the others, too. */
const timeLeft = (tryForMs: number): string =>
  `select set_config('lock_timeout', greatest(1, ceil(${tryForMs}
     - 1000 * extract(epoch from clock_timestamp() - statement_timestamp())))::integer::text, true)`

function isInTheWay(error: unknown): boolean {
  const known = translateDatabaseError(error)
  return known instanceof LockTimeoutError || known instanceof TransactionConflictError
}

const stillInUse = (cause: unknown) =>
  new SourceBusyException(tableMessages.readForTooLong(), { cause })

const HOUSEKEEPING = ' housekeeping'

/**
 * While a session updates statistics, vacuums or merges, it says so in its name: all of that can
 * be interrupted and done later.
 */
export async function nameHousekeeping(client: ClientBase): Promise<void> {
  await client.query(
    `select set_config('application_name', current_setting('application_name') || $1, false)`,
    [HOUSEKEEPING],
  )
}

export async function unnameHousekeeping(client: ClientBase): Promise<void> {
  await client.query('reset application_name')
}

/**
 * Interrupts the service's own housekeeping on the table or a partition of it, in favour of a
 * publication; the housekeeping after the next publication catches up.
 */
export async function endHousekeeping(client: ClientBase, table: TableName): Promise<void> {
  await client.query(
    `select pg_cancel_backend(a.pid) from pg_stat_activity a
     where a.application_name like '%' || $2 and a.usename = current_user
       and a.pid <> pg_backend_pid() and exists (
       select from pg_locks l
       where l.pid = a.pid and l.granted and l.locktype = 'relation'
         and (l.relation = to_regclass($1)
              or l.relation in (select inhrelid from pg_inherits where inhparent = to_regclass($1))))`,
    [quoteTable(table), HOUSEKEEPING],
  )
}
