import { expect } from 'chai'
import * as fc from 'fast-check'

import type { Actor } from '../../../src/domain/actor.ts'
import { useApp } from '../../support/app.ts'
import type { TestClient } from '../../support/client.ts'
import { created, createFromFile, reloadWith } from '../../support/sources.ts'

const RUNS = 12
const STEPS = 14

interface Row {
  readonly k: number
  readonly n: number
}

type Mode = 'replace' | 'append' | 'upsert'

type Step =
  | { readonly do: 'load'; readonly mode: Mode; readonly rows: readonly Row[] }
  | { readonly do: 'stage'; readonly mode: Mode; readonly rows: readonly Row[] }
  | { readonly do: 'publish' | 'remove' | 'rollBackTo'; readonly nth: number }
  | { readonly do: 'rollBack' }
  | { readonly do: 'keep'; readonly states: number }

/** A published load, as the model remembers it. */
interface Node {
  readonly uuid: string
  parent: Node | null
  readonly mode: Mode
  readonly rows: readonly Row[]
  endedBy: number | null
}

/** What the service promises, done the simplest way: every state is made anew from its loads. */
class Model {
  readonly nodes: Node[] = []
  readonly staged = new Map<string, { mode: Mode; rows: readonly Row[] }>()
  current: Node
  keep = 1
  #publications = 0

  constructor(uuid: string, rows: readonly Row[]) {
    this.current = { uuid, parent: null, mode: 'replace', rows, endedBy: null }
    this.nodes.push(this.current)
  }

  rowsOf(node: Node = this.current): Row[] {
    const before = node.parent === null ? [] : this.rowsOf(node.parent)
    const own = node.mode === 'upsert' ? lastOfEachKey(node.rows) : node.rows
    const keys = new Set(own.map(({ k }) => k))
    const staying = node.mode === 'upsert' ? before.filter(({ k }) => !keys.has(k)) : before
    return [...staying, ...own]
  }

  /** Which of two rows with one key should give way is nobody's to guess. */
  takes(mode: Mode, rows: readonly Row[]): boolean {
    if (mode !== 'upsert') return true
    const keys = new Set(rows.map(({ k }) => k))
    const replaced = this.rowsOf().filter(({ k }) => keys.has(k))
    return new Set(replaced.map(({ k }) => k)).size === replaced.length
  }

  publish(uuid: string, mode: Mode, rows: readonly Row[]): void {
    const parent = mode === 'replace' ? null : this.current
    const node: Node = { uuid, parent, mode, rows, endedBy: null }
    this.nodes.push(node)
    this.show(node)
  }

  show(node: Node): void {
    this.current.endedBy = ++this.#publications
    this.current = node
    this.forget()
  }

  kept(): Node[] {
    return this.nodes
      .filter((node) => node !== this.current && node.endedBy !== null)
      .toSorted((a, b) => b.endedBy! - a.endedBy!)
  }

  forget(): void {
    this.current.endedBy = null
    const kept = new Set(this.kept().slice(0, this.keep))
    for (const node of this.nodes) if (!kept.has(node)) node.endedBy = null
  }

  stateOf(node: Node): 'current' | 'kept' | 'gone' {
    if (this.#lineage(this.current).includes(node)) return 'current'
    return this.kept().some((other) => this.#lineage(other).includes(node)) ? 'kept' : 'gone'
  }

  /** Null where it cannot be taken out. */
  canTakeOut(node: Node): boolean {
    if (this.stateOf(node) !== 'current' || node.parent === null) return false
    if (node.mode === 'append') return true
    // What it has replaced is only known while some state without it is kept.
    const root = this.#lineage(node).at(-1)
    return (
      node === this.current &&
      this.kept().some((other) => {
        const line = this.#lineage(other)
        return line.at(-1) === root && !line.includes(node)
      })
    )
  }

  takeOut(node: Node): void {
    for (const other of this.nodes) if (other.parent === node) other.parent = node.parent
    this.nodes.splice(this.nodes.indexOf(node), 1)
    if (node.endedBy !== null) {
      node.parent!.endedBy = Math.max(node.endedBy, node.parent!.endedBy ?? 0)
    }
    if (this.current === node) this.current = node.parent!
    this.forget()
  }

  #lineage(node: Node): Node[] {
    return node.parent === null ? [node] : [node, ...this.#lineage(node.parent)]
  }
}

function lastOfEachKey(rows: readonly Row[]): Row[] {
  return rows.filter(({ k }, at) => rows.findLastIndex((other) => other.k === k) === at)
}

const row = fc.record({ k: fc.integer({ min: 1, max: 7 }), n: fc.constantFrom(1, 2, 30, 4.5, -6) })
const rows = fc.array(row, { minLength: 1, maxLength: 6 })
const distinct = fc.uniqueArray(row, { minLength: 1, maxLength: 6, selector: ({ k }) => k })
const mode = fc.constantFrom<Mode>('replace', 'append', 'upsert', 'upsert')
const nth = fc.nat(20)
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('load' as const), mode, rows: distinct }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('load' as const), mode, rows }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('stage' as const), mode, rows: distinct }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('publish' as const), nth }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('remove' as const), nth }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('rollBackTo' as const), nth }) },
  { weight: 3, arbitrary: fc.constant({ do: 'rollBack' as const }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('keep' as const), states: fc.nat(5) }) },
)

const csvOf = (given: readonly Row[]) => `k,n\n${given.map(({ k, n }) => `${k},${n}\n`).join('')}`

describe('any sequence of loads and of ways back', () => {
  const app = useApp()
  let admin: Actor
  let client: TestClient

  before(async () => {
    admin = await app.build.user()
    client = app.client.as(admin)
  })
  const reload = reloadWith(() => client)

  async function take(uuid: string, model: Model, next: Step): Promise<void> {
    const staged = [...model.staged.keys()]
    const pick = <T>(list: readonly T[], at: number): T | undefined => list[at % list.length]
    const expectStatus = async (answer: ReturnType<typeof reload>, status: number) => {
      const { text, body, ...found } = await answer
      expect(found.status, `${JSON.stringify(next)}: ${text}`).to.equal(status)
      return body
    }
    const lastLoad = async () => (await client.get(`/sources/${uuid}/loads?limit=1`)).body.items[0]
    switch (next.do) {
      case 'load':
      case 'stage': {
        const fields = {
          mode: next.mode,
          ...(next.mode === 'upsert' && { key: 'k' }),
          ...(next.do === 'stage' && { publish: 'false' }),
        }
        const isTaken = next.do === 'stage' || model.takes(next.mode, next.rows)
        await expectStatus(reload(uuid, csvOf(next.rows), fields), isTaken ? 200 : 400)
        const load = (await lastLoad()).uuid
        if (next.do === 'stage') model.staged.set(load, next)
        else if (isTaken) model.publish(load, next.mode, next.rows)
        return
      }
      case 'publish': {
        const load = pick(staged, next.nth)
        if (load === undefined) return
        const given = model.staged.get(load)!
        const isTaken = model.takes(given.mode, given.rows)
        await expectStatus(
          client.post(`/sources/${uuid}/loads/${load}/publish`),
          isTaken ? 200 : 409,
        )
        if (!isTaken) return
        model.staged.delete(load)
        model.publish(load, given.mode, given.rows)
        return
      }
      case 'remove': {
        const load = pick([...staged, ...model.nodes.map((node) => node.uuid)], next.nth)!
        const node = model.nodes.find((other) => other.uuid === load)
        const isTaken = node === undefined || model.canTakeOut(node)
        await expectStatus(client.delete(`/sources/${uuid}/loads/${load}`), isTaken ? 200 : 409)
        if (node === undefined) model.staged.delete(load)
        else if (isTaken) model.takeOut(node)
        return
      }
      case 'rollBackTo': {
        const node = pick(model.nodes, next.nth)!
        const isKept = model.kept().includes(node)
        const to = { load: node.uuid }
        await expectStatus(client.post(`/sources/${uuid}/rollback`, to), isKept ? 200 : 409)
        if (isKept) model.show(node)
        return
      }
      case 'rollBack': {
        const [before] = model.kept()
        await expectStatus(client.post(`/sources/${uuid}/rollback`, {}), before ? 200 : 409)
        if (before) model.show(before)
        return
      }
      case 'keep':
        await expectStatus(client.patch(`/sources/${uuid}`, { keepLoads: next.states }), 200)
        model.keep = next.states
        model.forget()
    }
  }

  async function compare(uuid: string, table: string, model: Model): Promise<void> {
    const expected = model.rowsOf()
    const { rows: stored } = await app.database.pool.query<{ k: number; n: string }>(
      `select k, n::text from ${table} order by _row`,
    )
    expect(stored.map(({ k, n }) => ({ k, n: Number(n) }))).to.deep.equal(expected)
    expect((await client.get(`/sources/${uuid}`)).body.rowCount).to.equal(expected.length)
    for (const [page, limit, order] of [
      [1, 1000, 'asc'],
      [2, 3, 'asc'],
      [2, 2, 'desc'],
    ] as const) {
      const query = `page=${page}&limit=${limit}&order=${order}`
      const { body } = await client.get(`/sources/${uuid}/data?${query}`)
      const all = order === 'asc' ? expected : expected.toReversed()
      expect(body.items, query).to.deep.equal(all.slice((page - 1) * limit, page * limit))
      expect(body.total).to.equal(expected.length)
    }
    const { body: loads } = await client.get(`/sources/${uuid}/loads?limit=100`)
    const states = new Map<string, string>(
      loads.items.map((load: { uuid: string; state: string }) => [load.uuid, load.state]),
    )
    for (const node of model.nodes) {
      expect(states.get(node.uuid), `${node.mode} ${node.uuid}`).to.equal(model.stateOf(node))
    }
  }

  /** Every table in the schema of loads belongs to one that is on record, and the other way round. */
  async function compareTables(): Promise<void> {
    const { rows: there } = await app.database.pool.query<{ name: string }>(
      `select relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname = $1 and c.relkind = 'r' and relname !~ '^rejects' order by 1`,
      [`enterprise_${admin.enterprise!.id}_loads`],
    )
    const { rows: known } = await app.database.pool.query<{ name: string }>(
      `select name from load_tables t where exists (
         select from loads where partition_id = t.id or taken_id = t.id) order by 1`,
    )
    expect(there).to.deep.equal(known)
  }

  it('shows the table that a model of it shows', async () => {
    await fc.assert(
      fc.asyncProperty(
        distinct,
        fc.array(step, { minLength: STEPS, maxLength: STEPS }),
        async (first, steps) => {
          const { uuid, tableName } = await created(createFromFile(client, csvOf(first)))
          const [creation] = (await client.get(`/sources/${uuid}/loads`)).body.items
          const model = new Model(creation.uuid, first)
          const table = `enterprise_${admin.enterprise!.id}.${tableName}`
          for (const next of steps) {
            await take(uuid, model, next)
            await compare(uuid, table, model)
          }
          await compareTables()
          expect((await client.delete(`/sources/${uuid}`)).status).to.equal(200)
        },
      ),
      { numRuns: RUNS, endOnFailure: true },
    )
  })
})
