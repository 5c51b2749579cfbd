import { expect } from 'chai'
import * as fc from 'fast-check'

import {
  type ComparedStates,
  compareRows,
  KeyFlawError,
  type Side,
} from '../../src/stack/read/compare-states.ts'
import { readTypes } from '../../src/stack/read/state-rows.ts'
import { useDatabase } from '../support/database.ts'

const RUNS = 60
const EVERYTHING = { kind: null, offset: 0, limit: 100 }

interface Row {
  readonly k: number | null
  readonly v: string
}

const row = fc.record({
  k: fc.option(fc.integer({ min: 1, max: 12 }), { freq: 40 }),
  v: fc.constantFrom('a', 'b'),
})
const rows = fc.oneof(
  fc.array(row, { maxLength: 6 }),
  fc.uniqueArray(row, { maxLength: 9, selector: ({ k }) => k }),
)

const hasFlaw = (side: readonly Row[]) =>
  side.some(({ k }) => k === null) || new Set(side.map(({ k }) => k)).size < side.length

describe('a comparison by key', () => {
  const database = useDatabase()

  before(() =>
    database.pool.query(
      `create table public.rows_before (_row bigint primary key, k bigint, v text);
       create table public.rows_after (like rows_before including all)`,
    ),
  )

  const columns = [
    { name: 'k', column: 'k', type: 'number', sqlType: 'bigint' },
    { name: 'v', column: 'v', type: 'text', sqlType: 'text' },
  ] as const

  /** With nothing of the keys looked at before. */
  async function compare(before: readonly Row[], after: readonly Row[]) {
    const client = await database.pool.connect()
    try {
      await client.query('begin')
      const sideOf = async (table: string, list: readonly Row[]): Promise<Side> => {
        await client.query(`delete from ${table}`)
        await client.query(
          `insert into ${table} select ordinality, (value->>'k')::bigint, value->>'v'
           from jsonb_array_elements($1) with ordinality`,
          [JSON.stringify(list)],
        )
        const name = { schema: 'public', table }
        const piece = { name, except: [], without: [], replacedBy: null }
        return { columns, pieces: await readTypes(client, [piece]) }
      }
      const comparison: ComparedStates = {
        before: await sideOf('rows_before', before),
        after: await sideOf('rows_after', after),
        key: 'k',
      }
      return await compareRows(client, comparison, EVERYTHING, 0)
    } finally {
      await client.query('rollback')
      client.release()
    }
  }

  it('counts what differs, or finds the key that repeats or is empty, whatever rows there are', async () => {
    await fc.assert(
      fc.asyncProperty(rows, rows, async (before, after) => {
        const found = await compare(before, after).catch((error: unknown) => error)
        if (hasFlaw(before) || hasFlaw(after)) {
          expect(found).to.be.instanceOf(KeyFlawError)
          const { side, value } = (found as KeyFlawError).flaw
          const list = side === 'before' ? before : after
          const times = list.filter(({ k }) => (k === null ? value === null : String(k) === value))
          expect(times.length).to.be.greaterThan(value === null ? 0 : 1)
          return
        }
        const others = new Map(after.map(({ k, v }) => [k, v]))
        const keys = new Set(before.map(({ k }) => k))
        const paired = before.filter(({ k }) => others.has(k))
        const unchanged = paired.filter(({ k, v }) => others.get(k) === v).length
        expect(found)
          .to.have.property('counts')
          .that.deep.equals({
            added: after.filter(({ k }) => !keys.has(k)).length,
            removed: before.length - paired.length,
            changed: paired.length - unchanged,
            unchanged,
          })
      }),
      { numRuns: RUNS },
    )
  })
})
