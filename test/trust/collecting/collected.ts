import { expect } from 'chai'

import { type VerifyingKey, verifyReceipt } from '../../../src/security/receipt.ts'
import type { TestClient, TestResponse } from '../../support/client.ts'
import { formOf } from '../../support/uploads.ts'
import { postSource, uniqueTable } from '../deeds/sources.ts'
import type { World } from '../world.ts'

/** A sender in a period. */
export interface Place {
  readonly uuid: string
  readonly collection: string
  readonly approval: boolean
  readonly key: string
  readonly period: string
  readonly token: string
}

/** A file that is like no other: its name stands in its rows. */
export interface Sending {
  readonly tag: string
  readonly rows: number
}

/** What a slot says that it holds. */
export interface Held {
  readonly accepted: string | null
  readonly waiting: string | null
}

interface ShownDelivery {
  readonly state: string
  readonly filename: string
  readonly loadUuid: string | null
  readonly receipt: string | null
}

export interface ShownSlot extends Held {
  readonly state: string
  /** Of the accepted file. */
  readonly loadUuid: string | null
  readonly receipt: string | null
}

interface Asked {
  readonly senders: number
  readonly periods: readonly string[]
  /** One collection for each, all of them of the same table. */
  readonly approvals: readonly boolean[]
}

const BASE: Sending = { tag: 'base', rows: 40 }
const MOST_ON_A_PAGE = 100

export const PERIODS = ['2026-01', '2026-02']

/** A table that many senders fill, on which others have built. */
export async function collect(world: World, { senders, periods, approvals }: Asked) {
  const { pool, people } = world
  const table = uniqueTable()
  const name = `enterprise_${people.enterprise.id}.${table}`
  const as = () => world.client.as(people.admin)
  const sourceUuid = (await created(postSource(as(), { tableName: table, content: csv(BASE) })))
    .uuid as string
  const kept = await as().patch(`/sources/${sourceUuid}`, { keepLoads: 5 })
  expect(kept.status, kept.text).to.equal(200)
  const places: Place[] = []
  for (const [nth, approval] of approvals.entries()) places.push(...(await open(nth, approval)))
  await pool.query(`create view ${name}_seen as select tag, nth from ${name}`)
  await pool.query(`create index ${table}_amounts on ${name} (amount)`)
  await pool.query(`grant select on ${name} to pg_monitor`)
  const sent = new Map<string, Sending>()
  const receipts = new Map<string, string>()

  /** It is the same wherever it is shown. */
  function remember(tag: string, receipt: string | null): void {
    expect(receipt, `the receipt of ${tag}`).to.be.a('string')
    expect(receipt).to.equal(receipts.get(tag) ?? receipt)
    receipts.set(tag, receipt!)
  }

  async function open(nth: number, approval: boolean): Promise<Place[]> {
    const made = await created(
      as().post('/collections', {
        name: `Collection ${nth}`,
        sourceUuid,
        approval,
        periods,
        labels: { sender: 'sender', period: 'period' },
        senders: Array.from({ length: senders }, (_, at) => ({
          key: `${nth}-${at}`,
          name: `Sender ${at}`,
          email: `sender${at}@trust.test`,
        })),
      }),
    )
    const links = made.links as { url: string; sender: { key: string } }[]
    const tokens = new Map(links.map(({ url, sender }) => [sender.key, url.split('#')[1]!]))
    const slots = await pagesOf(as(), `/collections/${made.uuid}/slots`)
    return slots.map(({ uuid, sender: { key }, period }) => {
      return { uuid, collection: made.uuid, approval, key, period, token: tokens.get(key)! }
    })
  }

  return {
    sourceUuid,
    places,
    as,

    holder: ({ token }: Place): TestClient =>
      world.client.withHeaders({ 'x-delivery-token': token }),

    /** An hour passes for those who send. */
    forgetTries: () => pool.query('delete from collection_tries'),

    /** What is answered 200 is remembered with its receipt. */
    async deliver(place: Place, sending: Sending): Promise<TestResponse> {
      sent.set(sending.tag, sending)
      const answer = await this.holder(place).request(
        'PUT',
        `/deliveries/${place.uuid}`,
        formOf(fileNameOf(sending.tag), String(csv(sending))),
      )
      const { state, receipt } = answer.body ?? {}
      if (state === 'accepted') remember(sending.tag, receipt as string | null)
      return answer
    },

    async held(): Promise<Map<string, ShownSlot>> {
      const found = new Map<string, ShownSlot>()
      for (const collection of new Set(places.map(({ collection: uuid }) => uuid))) {
        for (const slot of await pagesOf(as(), `/collections/${collection}/slots`)) {
          const shown = shownSlot(slot)
          found.set(slot.uuid, shown)
          if (shown.accepted !== null) remember(shown.accepted, shown.receipt)
        }
      }
      return found
    },

    /** The table has the rows of the accepted files, each of them once, and nothing else. */
    async expectTable(held: ReadonlyMap<string, Held>): Promise<number> {
      const accepted = places.flatMap(({ uuid, key, period }) => {
        const tag = held.get(uuid)!.accepted
        return tag === null ? [] : [{ tag, rows: sent.get(tag)!.rows, sender: key, period }]
      })
      const { rows } = await pool.query<{ missing: number; strange: number; seen: number }>(
        `with said as (
           select * from jsonb_to_recordset($1) as (tag text, rows int, sender text, period text)),
         wanted as (
           select tag, nth::int, nth + 0.25 as amount, sender, period
           from said, generate_series(1, rows) nth),
         there as (
           select tag, nth::int, amount::numeric, sender, period from ${name})
         select (select count(*)::int from (table wanted except all table there) m) as missing,
                (select count(*)::int from (table there except all table wanted) s) as strange,
                (select count(*)::int from ${name}_seen) as seen`,
        [JSON.stringify([{ ...BASE, sender: null, period: null }, ...accepted])],
      )
      const { missing, strange, seen } = rows[0]!
      expect({ missing, strange }, `of ${accepted.length} accepted files`).to.deep.equal({
        missing: 0,
        strange: 0,
      })
      return seen
    },

    /** What was answered once is worth something for good. */
    async expectReceipts(): Promise<number> {
      const { body } = await world.client.get('/.well-known/jwks.json')
      for (const [tag, receipt] of receipts) {
        const verified = await verifyReceipt(receipt, body.keys as VerifyingKey[])
        expect(verified.kind, tag).to.equal('genuine')
        if (verified.kind !== 'genuine') continue
        const { filename, rows } = verified.receipt
        expect({ filename, rows }).to.deep.equal({
          filename: fileNameOf(tag),
          rows: sent.get(tag)!.rows,
        })
      }
      return receipts.size
    },

    /** The view, the index with a part for each partition, and the grant. */
    async expectUnharmed(): Promise<void> {
      const { rows } = await pool.query<Record<string, boolean | number>>(
        `select (select indisvalid from pg_index where indexrelid = '${name}_amounts'::regclass) as valid,
                (select count(*)::int from pg_inherits where inhparent = '${name}_amounts'::regclass)
                = (select count(*)::int from pg_inherits where inhparent = '${name}'::regclass) as whole,
                has_table_privilege('pg_monitor', '${name}', 'select') as granted,
                to_regclass('${name}_seen') is not null as viewed`,
      )
      expect(rows[0]).to.deep.equal({ valid: true, whole: true, granted: true, viewed: true })
    },
  }
}

export type Collected = Awaited<ReturnType<typeof collect>>

const fileNameOf = (tag: string) => `${tag}.csv`

function csv({ tag, rows }: Sending): Buffer {
  const lines = Array.from({ length: rows }, (_, at) => `${tag},${at + 1},${at + 1}.25`)
  return Buffer.from(`tag,nth,amount\n${lines.join('\n')}\n`)
}

interface SlotBody {
  readonly uuid: string
  readonly sender: { readonly key: string }
  readonly period: string
  readonly state: string
  readonly deliveries: readonly ShownDelivery[]
}

function shownSlot({ state, deliveries }: SlotBody): ShownSlot {
  const of = (wanted: string) => {
    const found = deliveries.filter((each) => each.state === wanted)
    expect(found.length, `${wanted} in one slot`).to.be.at.most(1)
    return found[0] ?? null
  }
  const [accepted, waiting] = [of('accepted'), of('received')]
  const expected = waiting ? ['received'] : accepted ? ['accepted'] : ['awaited', 'refused']
  expect(state, 'the state of a slot').to.be.oneOf(expected)
  const tagOf = (delivery: ShownDelivery | null) => delivery?.filename.replace('.csv', '') ?? null
  return {
    state,
    accepted: tagOf(accepted),
    waiting: tagOf(waiting),
    loadUuid: accepted?.loadUuid ?? null,
    receipt: accepted?.receipt ?? null,
  }
}

async function pagesOf(client: TestClient, path: string): Promise<SlotBody[]> {
  const items: SlotBody[] = []
  for (let page = 1; ; page++) {
    const { status, text, body } = await client.get(`${path}?limit=${MOST_ON_A_PAGE}&page=${page}`)
    expect(status, text).to.equal(200)
    items.push(...(body.items as SlotBody[]))
    if (items.length >= body.total) return items
  }
}

async function created(answer: Promise<TestResponse>): Promise<TestResponse['body']> {
  const { status, text, body } = await answer
  expect(status, text).to.equal(201)
  return body
}
