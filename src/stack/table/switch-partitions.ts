import { setTimeout as delay } from 'node:timers/promises'

import type { ClientBase } from 'pg'

import {
  LockTimeoutError,
  TransactionConflictError,
  translateDatabaseError,
} from '../../db/database-errors.ts'
import { SourceBusyException } from '../../errors/index.ts'
import { quoteText } from '../../../pipelines/index.ts'
import { endHousekeeping } from '../keep/housekeeping-session.ts'
import { toItsOwner } from './owners.ts'
import type { Partition } from './partitions.ts'
import { orReferredTo, refuseReferences } from './references-of-others.ts'
import type { ShapeChange } from '../stack.ts'
import { ROW } from './row-numbers.ts'
import type { TableColumn } from './stored-column.ts'
import { placeBeside, type TableEngine } from './table-engine.ts'
import { tableMessages } from './table-messages.ts'
import { quoteName, quoteTable, type TableName } from './table-name.ts'

interface Switch {
  readonly table: TableName
  readonly shape: ShapeChange
  readonly detach: readonly Partition[]
  /** Already aligned with the table. */
  readonly attach: readonly Partition[]
}

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
type LockSql = (...names: readonly TableName[]) => string

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

/** The moment in which a table changes what it shows. Its duration does not depend on the number of rows. */
export async function switchPartitions(
  client: ClientBase,
  change: Switch,
  engine: TableEngine,
  patience: Patience,
): Promise<void> {
  try {
    await inTries(client, change.table, patience, (lock) => trySwitch(client, change, engine, lock))
  } catch (error) {
    throw orReferredTo(error, change.table)
  }
}

/**
 * An existing table is switched in a single query: with several, readers would also wait for the
 * round trips.
 */
async function trySwitch(
  client: ClientBase,
  { table, shape, detach, attach }: Switch,
  engine: TableEngine,
  lock: LockSql,
): Promise<void> {
  const attaching = attach.map(
    ({ name, range }) =>
      `alter table ${quoteTable(table)} attach partition ${quoteTable(name)}
       for values from (${range.from}) to (${range.to})`,
  )
  if (!shape.isThere) {
    await createTable(client, table, shape.added)
    for (const { name } of attach.slice(0, 1)) await placeBeside(engine, client, table, name)
    await engine.change(client, [...attaching, RECORDS_MAY_WAIT])
    return
  }
  const changes = [...columnChanges(table, shape)]
  const isAlone = detach.length > 0 || changes.length > 0
  const namesOf = (partitions: readonly Partition[]) => partitions.map(({ name }) => name)
  if (isAlone) await awaitHousekeeping(client, table, namesOf([...detach, ...attach]))
  await engine.change(client, [
    // The loads' own tables are locked first: a reader who is comparing one of them then delays
    // only this publication, and not the readers of the table.
    ...(isAlone ? [lock(...namesOf(attach), table, ...namesOf(detach))] : []),
    ...(detach.length > 0 ? [refuseReferences(table, namesOf(detach))] : []),
    ...detach.map(
      ({ name }) => `alter table ${quoteTable(table)} detach partition ${quoteTable(name)}`,
    ),
    ...changes,
    ...columnNames(table, shape.added),
    ...attaching,
    RECORDS_MAY_WAIT,
  ])
}

/**
 * Housekeeping takes a moment to stop when it is told to. This waits for it with a lock that never
 * blocks readers and keeps other housekeeping from starting.
 */
async function awaitHousekeeping(
  client: ClientBase,
  table: TableName,
  partitions: readonly TableName[],
): Promise<void> {
  await endHousekeeping(client, table)
  const all = [table, ...partitions].map(quoteTable)
  await client.query(`lock table only ${all.join(', only ')} in share update exclusive mode`)
}

async function createTable(
  client: ClientBase,
  table: TableName,
  columns: readonly TableColumn[],
): Promise<void> {
  const definitions = columns.map(({ column, sqlType }) => `, ${quoteName(column)} ${sqlType}`)
  const create = `create table ${quoteTable(table)} (
      ${ROW} bigint not null${definitions.join('')}, primary key (${ROW}))
    partition by range (${ROW})`
  await client.query([create, ...columnNames(table, columns), toItsOwner(table)].join(';\n'))
}

/** Types change while no partition is attached, so there is nothing to convert; `only` makes sure of it. */
function* columnChanges(
  table: TableName,
  { added, retyped, dropped }: ShapeChange,
): Generator<string> {
  const others = [
    ...dropped.map((column) => `drop column ${quoteName(column)}`),
    ...added.map(({ column, sqlType }) => `add column ${quoteName(column)} ${sqlType}`),
  ]
  if (others.length > 0) yield `alter table ${quoteTable(table)} ${others.join(', ')}`
  const types = retyped.map(
    ({ column, to }) => `alter column ${quoteName(column)} type ${to} using null::${to}`,
  )
  if (types.length > 0) yield `alter table only ${quoteTable(table)} ${types.join(', ')}`
}

/** For people who look at the table with SQL. They may change the comments: nothing reads them. */
const columnNames = (table: TableName, columns: readonly TableColumn[]): string[] =>
  columns
    .filter(({ name, column }) => name !== column)
    .map(
      ({ name, column }) =>
        `comment on column ${quoteTable(table)}.${quoteName(column)} is ${quoteText(name)}`,
    )
