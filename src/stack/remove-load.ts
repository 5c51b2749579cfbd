import type { ClientBase } from 'pg'

import { SourceLoadConflictException } from '../errors/index.ts'
import type { Recording } from '../resources/alongside.ts'
import { changeTable } from './change-table.ts'
import { markGone } from './keep/forget.ts'
import type { Lease } from './leases.ts'
import type { Load } from './load.ts'
import { loadMessages } from './load-messages.ts'
import { readTable } from './look.ts'
import type { LoadsParts } from './fill/run-load.ts'
import { takeOutLoad } from './take-out-load.ts'

interface Removal {
  /** As it was before the lease was taken. */
  readonly load: Load
  readonly lease: Lease
  readonly signal: AbortSignal
  readonly record: Recording | undefined
}

/** Drops a staged load, or takes an appended one out again. */
export async function removeLoad(
  parts: LoadsParts,
  { load, lease, signal, record }: Removal,
): Promise<void> {
  const table = await readTable(parts.pool, load.tableId)
  await changeTable(parts, table, signal, async (client) => {
    const state = await stateOf(client, load.id)
    await record?.(client)
    if (state === 'staged') {
      await markGone(client, [load.id])
      return parts.leases.release(client, lease)
    }
    if (state === 'current' && load.kind !== 'rollback') {
      return takeOutLoad(client, parts, { table, lease }, load)
    }
    throw new SourceLoadConflictException(loadMessages.notRemovable({ state }))
  })
  parts.housekeeping.after(table.id)
}

async function stateOf(client: ClientBase, id: number): Promise<string> {
  const { rows } = await client.query<{ state: string }>(
    'select state from loads where id = $1 for update',
    [id],
  )
  return rows[0]?.state ?? 'gone'
}
