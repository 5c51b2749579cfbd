import { setTimeout as delay } from 'node:timers/promises'

import type { ClientBase } from 'pg'

import {
  LockTimeoutError,
  TransactionConflictError,
  translateDatabaseError,
} from '../../db/database-errors.ts'
import { SourceBusyException } from '../../errors/index.ts'
import { quoteText } from '../../../pipelines/index.ts'
import { endHousekeeping } from './housekeeping-session.ts'
import type { Partition } from './partitions.ts'
import type { ShapeChange } from './plan-shape.ts'
import { ROW } from './row-numbers.ts'
import type { TableColumn } from './stored-column.ts'
import { placeBeside, type TableEngine } from './table-engine.ts'
import { tableMessages } from './table-messages.ts'
import { quoteName, quoteTable, type TableName } from './table-name.ts'

export interface Switch {
  readonly table: TableName
  readonly shape: ShapeChange
  readonly detach: readonly Partition[]
  /** Aligned already. */
  readonly attach: readonly Partition[]
}

/** How long a publication waits for those who read the table. */
export interface Patience {
  /** In one try: others who come to read wait behind it for as long. */
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

/** How long what is recorded beside the switch may wait: readers wait for it, too. */
export const RECORDS_MAY_WAIT = 'set local lock_timeout = 5000'

/** SQL that locks what it names within the time that is left of a try, which began as the text was sent. */
export type LockSql = (...names: readonly TableName[]) => string

/**
 * Does what needs a table for itself, in the caller's transaction, which holds the locks until it
 * ends: again and again, so that nobody who comes to read waits for long behind somebody who reads.
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

/** One time for all of the locks: who waits behind the first waits for the others as well. */
const timeLeft = (tryForMs: number): string =>
  `select set_config('lock_timeout', greatest(1, ceil(${tryForMs}
     - 1000 * extract(epoch from clock_timestamp() - statement_timestamp())))::integer::text, true)`

function isInTheWay(error: unknown): boolean {
  const known = translateDatabaseError(error)
  return known instanceof LockTimeoutError || known instanceof TransactionConflictError
}

const stillInUse = (cause: unknown) =>
  new SourceBusyException(tableMessages.readForTooLong(), { cause })

/** The one moment in which a table changes what it shows: nothing in it grows with the number of rows. */
export async function switchPartitions(
  client: ClientBase,
  change: Switch,
  engine: TableEngine,
  patience: Patience,
): Promise<void> {
  await inTries(client, change.table, patience, (lock) => trySwitch(client, change, engine, lock))
}

/** All at once where the table is there: between two texts readers would wait for their way, too. */
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
    // Whoever compares a load that comes with another state holds up this alone, and not those who
    // read the table.
    ...(isAlone ? [lock(...namesOf(attach), table, ...namesOf(detach))] : []),
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
 * Housekeeping that is told to end takes a while to do so. It is waited for with a lock that keeps
 * readers away neither while it is waited for nor once it is there, and that lets no other begin.
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
  await client.query([create, ...columnNames(table, columns)].join(';\n'))
}

/** Types change while no partition is attached, so that there is nothing to convert; `only` makes sure of it. */
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

/** For whoever looks at the table with SQL. From then on the comment is theirs: nothing reads it. */
const columnNames = (table: TableName, columns: readonly TableColumn[]): string[] =>
  columns
    .filter(({ name, column }) => name !== column)
    .map(
      ({ name, column }) =>
        `comment on column ${quoteTable(table)}.${quoteName(column)} is ${quoteText(name)}`,
    )
