import { expect } from 'chai'

import type { TestClient } from '../../support/client.ts'
import { formOf } from '../../support/uploads.ts'
import { csvOf } from '../tools/csv-of.ts'
import type { World } from '../world.ts'
import type { Undertaking } from './deed.ts'
import { sourceState } from './source-state.ts'
import { postSource, uniqueTable } from './sources.ts'

const ROWS = 20_000
const BEFORE = 10_000
const MORE_ROWS = 25_000

/** A later file of a slot: rows, receipt and slot change together, or none of them does. */
export const sendDelivery: Undertaking = {
  name: 'a delivery into a slot that holds another',
  succeeds: [200],
  // The same file again changes nothing.
  repeated: [200],
  async prepare(world) {
    const tableName = uniqueTable()
    const client = world.client.as(world.people.admin)
    const source = await postSource(client, { tableName, content: csvOf('old', ROWS) })
    expect(source.status, source.text).to.equal(201)
    const sender = { key: 'a', name: 'Sender', email: 'sender@trust.test' }
    const given = { name: 'Deed', sourceUuid: source.body.uuid as string, senders: [sender] }
    const made = await client.post('/collections', given)
    expect(made.status, made.text).to.equal(201)
    const token = (made.body.links[0].url as string).split('#')[1]!
    const held = (by: TestClient) => by.withHeaders({ 'x-delivery-token': token })
    const asked = await held(world.client).get('/deliveries')
    const slot = asked.body.slots[0].uuid as string
    const put = (by: TestClient, content: string) =>
      held(by).request('PUT', `/deliveries/${slot}`, formOf('sent.csv', content))
    const first = await put(world.client, String(csvOf('first', BEFORE)))
    expect(first.status, first.text).to.equal(200)
    return {
      run: (by) => put(by, String(csvOf('new', MORE_ROWS))),
      async state() {
        const state = await sourceState(world, tableName, {
          undone: { old: ROWS, first: BEFORE },
          done: { old: ROWS, new: MORE_ROWS },
        })
        if (state !== null) await expectSlot(world, slot, state === 'done' ? MORE_ROWS : BEFORE)
        return state
      },
    }
  },
}

/** What the slot says of its rows is what the table has; and whatever is accepted has its receipt. */
async function expectSlot({ pool }: World, slot: string, rows: number): Promise<void> {
  const { rows: accepted } = await pool.query<{ rows: number; signed: boolean; state: string }>(
    `select d.rows::int, d.receipt is not null as signed, sl.state
     from collection_slots sl join collection_deliveries d on d.slot_id = sl.id and d.state = 'accepted'
     where sl.uuid = $1`,
    [slot],
  )
  expect(accepted).to.deep.equal([{ rows, signed: true, state: 'accepted' }])
}
