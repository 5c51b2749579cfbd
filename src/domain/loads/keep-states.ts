import { withTransaction } from '../../db/transaction.ts'
import { SourceBusyException } from '../../errors/index.ts'
import { forgetRejects } from '../tables/rejects.ts'
import { disownObject } from '../uploads/disown.ts'
import { dropUnused } from './drop-tables.ts'
import { readTable } from './generated-table.ts'
import type { KeptFile } from './load.ts'
import { readTree } from './read-tree.ts'
import type { LoadsParts } from './run-load.ts'
import { settleStates } from './settle-states.ts'

/** Forgets at once what a table need not keep any more; while somebody loads, the load will. */
export async function keepStates(parts: LoadsParts, tableId: number): Promise<void> {
  const { pool, leases, uploads } = parts
  const lease = await leases.take(tableId, null).catch((error: unknown) => {
    if (error instanceof SourceBusyException) return null
    throw error
  })
  if (lease === null) return
  let forgotten: KeptFile[] = []
  try {
    const table = await readTable(pool, tableId)
    const current = table.currentLoadId
    await withTransaction(pool, async (client) => {
      if (current !== null) {
        const tree = await readTree(client, tableId)
        forgotten = await settleStates(client, tree, current, table.keepLoads ?? parts.loadsKept)
        for (const file of forgotten) await disownObject(client, file)
        await forgetRejects(client, table)
      }
      await leases.release(client, lease)
    })
  } catch (error) {
    await leases.giveBack(lease)
    throw error
  }
  for (const file of forgotten) await uploads.discard(file)
  await dropUnused(parts, tableId)
}
