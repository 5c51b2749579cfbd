import type { ClientBase } from 'pg'

import { LockTimeoutError, translateDatabaseError } from '../../db/database-errors.ts'
import { inTransaction } from '../../db/transaction.ts'
import { addConstraint } from '../table/align-partition.ts'
import { createIndex, isThere, readConstraints, readIndexes } from '../table/catalogue.ts'
import { type Partition, inRange, ROW } from '../table/partitions.ts'
import { inTries, type Patience, RECORDS_MAY_WAIT } from '../table/lock-table.ts'
import { quoteName, quoteTable, type TableName } from '../../../pipelines/index.ts'
import { readAttachedObjects } from './attached-objects.ts'
import { NotCarriedError, readNotCarried } from './not-carried.ts'

const IN_RANGE = quoteName('rows-in-range')

/**
 * Turns a table of an earlier version, which held its rows itself, into the first partition of a
 * partitioned table. No row is rewritten, and each is read once, while the table stays readable.
 * If interrupted, it can start again. Returns what people had created on the table that could not
 * be carried over; what would go on with old rows keeps the table as it was (`NotCarriedError`).
 */
export async function convertTable(
  client: ClientBase,
  table: TableName,
  partition: Partition,
  { patience, record }: { patience: Patience; record(): Promise<void> },
): Promise<readonly string[]> {
  await refuseLeavingBehind(client, table)
  await checkRange(client, table, partition, patience)
  let lost: string[] = []
  await inTransaction(client, async () => {
    await inTries(client, table, patience, async (lock) => {
      await client.query(lock(table))
      // Others may have made something of it while its rows were read.
      await refuseLeavingBehind(client, table)
      lost = await makePartitioned(client, table, partition)
      await client.query(RECORDS_MAY_WAIT)
    })
    await record()
  })
  return lost
}

async function refuseLeavingBehind(client: ClientBase, table: TableName): Promise<void> {
  const blocking = (await readNotCarried(client, table)).filter(({ blocks }) => blocks)
  if (blocking.length > 0) throw new NotCarriedError(table, blocking)
}

/** Without this check the rows would be read while the table is locked. */
async function checkRange(
  client: ClientBase,
  table: TableName,
  { range }: Partition,
  patience: Patience,
): Promise<void> {
  const { rows } = await client.query<{ valid: boolean }>(
    `select convalidated as valid from pg_constraint
     where conrelid = to_regclass($1) and conname = 'rows-in-range'`,
    [quoteTable(table)],
  )
  if (rows.length === 0) {
    await inTransaction(client, () =>
      inTries(client, table, patience, async (lock) => {
        await client.query(lock(table))
        await client.query(
          `alter table ${quoteTable(table)} add constraint ${IN_RANGE} check (${inRange(range)}) not valid`,
        )
      }),
    )
  }
  if (rows[0]?.valid === true) return
  await client.query(`alter table ${quoteTable(table)} validate constraint ${IN_RANGE}`)
}

async function makePartitioned(
  client: ClientBase,
  table: TableName,
  { name, range }: Partition,
): Promise<string[]> {
  const objects = await readAttachedObjects(client, table, name)
  const indexes = await readIndexes(client, table)
  const constraints = (await readConstraints(client, table)).filter(
    (constraint) => quoteName(constraint.name) !== IN_RANGE,
  )
  const passing = { schema: table.schema, table: `${name.table}-to-be` }
  await client.query(
    `alter table ${quoteTable(table)} rename to ${quoteName(passing.table)};
     alter table ${quoteTable(passing)} set schema ${quoteName(name.schema)};
     alter table ${quoteTable({ ...passing, schema: name.schema })} rename to ${quoteName(name.table)};
     alter table ${quoteTable(name)} set (autovacuum_enabled = false, toast.autovacuum_enabled = false);
     create table ${quoteTable(table)} (
       like ${quoteTable(name)} including defaults including generated, primary key (${ROW}))
     partition by range (${ROW})`,
  )
  await client.query(
    `alter table ${quoteTable(table)} attach partition ${quoteTable(name)}
     for values from (${range.from}) to (${range.to})`,
  )
  const lost: string[] = []
  for (const index of indexes) {
    const create = [createIndex(table, index, index.name)]
    await carry(client, { what: `the index ${index.name}`, statements: create }, lost)
  }
  for (const constraint of constraints) {
    const add = [addConstraint(table, constraint)]
    await carry(client, { what: `the constraint ${constraint.name}`, statements: add }, lost)
  }
  for (const object of objects) await carry(client, object, lost)
  return lost
}

/** An object that cannot be carried over stays on the old table and does not stop the others. */
async function carry(
  client: ClientBase,
  { what, statements }: { what: string; statements: readonly string[] },
  lost: string[],
): Promise<void> {
  if (statements.length === 0) {
    lost.push(what)
    return
  }
  await client.query('savepoint thing')
  try {
    for (const statement of statements) await client.query(statement)
  } catch (error) {
    if (translateDatabaseError(error) instanceof LockTimeoutError) throw error
    await client.query('rollback to savepoint thing')
    lost.push(what)
  }
}

/**
 * In earlier versions the rejects of a table were next to it, with a different name for each kind
 * of table.
 */
export async function convertRejects(
  client: ClientBase,
  before: TableName,
  after: TableName,
  currentLoadId: number,
): Promise<void> {
  if (!(await isThere(client, before))) return
  const moved = { schema: after.schema, table: before.table }
  await client.query(
    `alter table ${quoteTable(before)} set schema ${quoteName(after.schema)};
     alter table ${quoteTable(moved)} rename to ${quoteName(after.table)};
     alter table ${quoteTable(after)} add column if not exists load bigint;
     update ${quoteTable(after)} set load = ${currentLoadId} where load is null;
     alter table ${quoteTable(after)}
       alter column load drop default, alter column load set not null,
       add column id bigint generated always as identity primary key;
     create index on ${quoteTable(after)} (load)`,
  )
}
