import type { ClientBase } from 'pg'

import { IS_HELD } from '../../stack/load.ts'
import type { Slots } from '../../stack/stack.ts'

const OF_SLOTS = `l.id = d.load_id and l.table_id = $1 and l.slot is not null
  and ($2::uuid[] is null or l.slot = any ($2))`

/** Two accepted ones of one slot cannot be there at once, so what leaves is written first. */
const LEAVING = `
  update collection_deliveries d
  set state = case l.state when 'current' then 'replaced' else 'undone' end
  from loads l where ${OF_SLOTS} and d.state = 'accepted' and not (${IS_HELD})
  returning d.slot_id as "slotId"`

const COMING = `
  update collection_deliveries d set state = 'accepted'
  from loads l
  where ${OF_SLOTS} and d.state in ('received', 'replaced', 'undone') and ${IS_HELD}
  returning d.slot_id as "slotId"`

/** Whoever deletes a sender or a collection locks in the same order, so neither waits for the other. */
const HOLD = `
  with held as (
    select c.id from collections c join sources s on s.id = c.source_id
    where s.table_id = $1 order by c.id for key share of c)
  select from collection_senders se
  where se.collection_id in (select id from held)
    and ($2::uuid[] is null or se.id in (
      select sl.sender_id from collection_slots sl where sl.uuid = any ($2)))
  order by se.id for key share`

/**
 * Runs in the transaction of a publication, once its loads have their states: what slots hold follows from
 * what the table shows, whether that was loaded, rolled back, shown again or taken out.
 */
export async function settleSlots(
  client: ClientBase,
  tableId: number,
  slots: Slots,
): Promise<void> {
  const values = [tableId, slots === 'all' ? null : slots]
  await client.query(HOLD, values)
  const changed: number[] = []
  for (const statement of [LEAVING, COMING]) {
    const { rows } = await client.query<{ slotId: number }>(statement, values)
    changed.push(...rows.map(({ slotId }) => slotId))
  }
  if (changed.length > 0) await settleStates(client, changed)
}

/**
 * What waits in a slot goes before what is accepted; a slot that holds nothing any more awaits a file. Most of those that
 * a rollback touches hold another file in the same state, and are not written.
 */
export const settleStates = (client: ClientBase, slotIds: readonly number[]) =>
  client.query(
    `update collection_slots sl set state = now.state
     from (
       select of.id, coalesce(
         (select d.state from collection_deliveries d
          where d.slot_id = of.id and d.state in ('received', 'accepted') order by d.state desc limit 1),
         'awaited') as state
       from collection_slots of where of.id = any ($1)) now
     where sl.id = now.id and sl.state <> now.state`,
    [slotIds],
  )
