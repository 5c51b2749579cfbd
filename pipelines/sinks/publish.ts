import type { ClientBase } from 'pg'

import type { ColumnPlan } from '../core/plan.ts'
import { readExistingTable } from './existing-table.ts'
import { quoteName, quoteTable, type TableName } from './sql.ts'
import { headerComments, type Staging } from './staging.ts'

/** How long the swap waits for those who read the old table. */
const LOCK_TIMEOUT_MS = 60_000

/** Runs the last step in one transaction; what it throws leaves everything as it was. */
export async function inTransaction<T>(
  client: ClientBase,
  { isOpen }: { readonly isOpen: boolean },
  commit: () => Promise<void>,
  work: () => Promise<T>,
): Promise<T> {
  if (!isOpen) await client.query('begin')
  let result: T
  try {
    await client.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`)
    result = await work()
  } catch (error) {
    // A connection too broken to roll back is closed by its owner, which comes to the same.
    await client.query('rollback').catch((failure: Error) => failure)
    throw error
  }
  await commit()
  return result
}

/** The staging table takes the name of the table; whoever reads it meets the old rows or the new. */
export async function replaceTable(
  client: ClientBase,
  staging: Staging,
  target: TableName,
  columns: readonly ColumnPlan[],
): Promise<void> {
  // Refuses a table that no load made: whoever asked has most likely mistaken its name.
  await readExistingTable(client, target)
  await client.query(`drop table if exists ${quoteTable(target)}`)
  await rename(client, staging.table, target)
  const comments = headerComments(target, columns)
  if (comments !== '') await client.query(comments)
}

export async function replaceRejects(
  client: ClientBase,
  staging: Staging,
  target: TableName,
  hasRejects: boolean,
): Promise<void> {
  await client.query(`drop table if exists ${quoteTable(target)}`)
  if (hasRejects) await rename(client, staging.rejects, target)
}

/** Rows that were skipped join those that an earlier load of the same table skipped. */
export async function addRejects(
  client: ClientBase,
  staging: Staging,
  target: TableName,
): Promise<void> {
  const { rows } = await client.query<{ there: boolean }>(
    'select to_regclass($1) is not null as there',
    [quoteTable(target)],
  )
  if (!rows[0]!.there) return rename(client, staging.rejects, target)
  await client.query(
    `insert into ${quoteTable(target)} select * from ${quoteTable(staging.rejects)}`,
  )
}

async function rename(client: ClientBase, from: TableName, to: TableName): Promise<void> {
  if (from.schema !== to.schema) {
    await client.query(`alter table ${quoteTable(from)} set schema ${quoteName(to.schema)}`)
  }
  const moved = { schema: to.schema, table: from.table }
  await client.query(`alter table ${quoteTable(moved)} rename to ${quoteName(to.table)}`)
}
