import type { ClientBase } from 'pg'

import { SourceInUseException } from '../../errors/index.ts'
import { isThere, dependentsOfTable, describeDependents } from './catalogue.ts'
import { partsInPlace } from './partitions.ts'
import { tableMessages } from './table-messages.ts'
import { inTries, type Patience, RECORDS_MAY_WAIT } from './lock-table.ts'
import { quoteTable } from '../../../pipelines/index.ts'
import { loadsSchemaOf, rejectsOf } from './enterprise-schemas.ts'
import type { GeneratedTable } from '../stack.ts'

/**
 * Drops a table and everything that its loads have next to it, in the caller's transaction, which
 * also records that it is gone. Fails if others have built on it.
 */
export async function removeTable(
  client: ClientBase,
  table: GeneratedTable,
  patience: Patience,
): Promise<void> {
  const { id, enterpriseId, name } = table
  const dependents = await dependentsOfTable(client, name)
  if (dependents.count > 0) {
    throw new SourceInUseException(
      tableMessages.tableInUse({
        table: name.table,
        dependents: describeDependents(dependents),
      }),
      { members: { dependents: dependents.count, dependentNames: dependents.named } },
    )
  }
  const inPlace = await partsInPlace(client, table)
  const { rows } = await client.query<{ name: string }>(
    'select name from load_tables where table_id = $1 and not id = any ($2)',
    [id, [...inPlace]],
  )
  const beside = rows.map((row) => ({ schema: loadsSchemaOf(enterpriseId), table: row.name }))
  const all = [name, rejectsOf(table), ...beside].map(quoteTable)
  await inTries(client, name, patience, async (lock) => {
    if (await isThere(client, name)) await client.query(lock(name))
    await client.query(`drop table if exists ${all.join(', ')}`)
    await client.query(RECORDS_MAY_WAIT)
  })
  await client.query('delete from load_tables where table_id = $1', [id])
}
