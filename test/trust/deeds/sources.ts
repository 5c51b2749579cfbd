import { randomUUID } from 'node:crypto'

import { expect } from 'chai'
import type { Pool } from 'pg'

import type { TestClient, TestResponse } from '../../support/client.ts'
import { csvOf } from '../tools/csv-of.ts'
import type { World } from '../world.ts'
import type { Undertaking } from './deed.ts'

const ROWS = 40_000
const RELOADED_ROWS = 50_000

interface NewSource {
  readonly tableName: string
  readonly content: Buffer
}

export const createSource: Undertaking = {
  name: 'creation of a source',
  succeeds: [201],
  repeated: [409],
  async prepare(world) {
    const given = { tableName: uniqueTable(), content: csvOf('new', ROWS) }
    return {
      run: (client) => postSource(client.as(world.people.admin), given),
      state: () => sourceState(world, given.tableName, { done: ['new', ROWS] }),
    }
  },
}

export const createSourceLater: Undertaking = {
  name: 'creation of a source by a queued job',
  succeeds: [202],
  repeated: [202, 409],
  async prepare(world) {
    const given = { tableName: uniqueTable(), content: csvOf('later', ROWS) }
    return {
      run: (client) =>
        postSource(client.as(world.people.admin).withHeaders({ prefer: 'respond-async' }), given),
      async state() {
        // A queued job is run again, whoever died: until it has ended nothing is decided.
        const { rows } = await world.pool.query(
          `select from jobs where status in ('QUEUED', 'RUNNING')`,
        )
        if (rows.length > 0) return null
        return sourceState(world, given.tableName, { done: ['later', ROWS] })
      },
    }
  },
}

export const reloadSource: Undertaking = {
  name: 'reload of a source',
  succeeds: [200],
  repeated: [200],
  async prepare(world) {
    const { admin } = world.people
    const given = { tableName: uniqueTable(), content: csvOf('old', ROWS) }
    const created = await postSource(world.client.as(admin), given)
    expect(created.status, created.text).to.equal(201)
    const content = csvOf('new', RELOADED_ROWS)
    return {
      run: (client) => {
        const form = new FormData()
        form.append('file', new Blob([new Uint8Array(content)]), 'table.csv')
        const path = `/sources/${created.body.uuid as string}/reload`
        return client.as(admin).request('POST', path, { content: form })
      },
      state: () =>
        sourceState(world, given.tableName, {
          undone: ['old', ROWS],
          done: ['new', RELOADED_ROWS],
        }),
    }
  },
}

export const deleteSource: Undertaking = {
  name: 'deletion of a source',
  succeeds: [200],
  repeated: [404],
  async prepare(world) {
    const { admin } = world.people
    const given = { tableName: uniqueTable(), content: csvOf('old', 2_000) }
    const created = await postSource(world.client.as(admin), given)
    expect(created.status, created.text).to.equal(201)
    return {
      run: (client) => client.as(admin).delete(`/sources/${created.body.uuid as string}`),
      async state() {
        const left = await sourceState(world, given.tableName, { done: ['old', 2_000] })
        return left === 'done' ? 'undone' : left && 'done'
      },
    }
  },
}

export const uniqueTable = () => `deed_${randomUUID().replaceAll('-', '').slice(0, 12)}`

export function postSource(
  client: TestClient,
  { tableName, content }: NewSource,
): Promise<TestResponse> {
  const form = new FormData()
  form.append('source', 'file')
  form.append('name', 'Deed')
  form.append('tableName', tableName)
  form.append('file', new Blob([new Uint8Array(content)]), 'table.csv')
  return client.request('POST', '/sources', { content: form })
}

type Expected = readonly [version: string, rows: number]

/** What the source and its table say together; without `undone`, undone is when neither is there. */
async function sourceState(
  { pool, people }: World,
  tableName: string,
  expected: { readonly undone?: Expected; readonly done: Expected },
): Promise<'undone' | 'done' | null> {
  const { rows } = await pool.query<{ status: string; row_count: string; busy: boolean }>(
    `select case when current_load_id is null then 'LOADING' else 'READY' end as status,
            row_count::text, lease_process is not null as busy from generated_tables
     where enterprise_id = $1 and name = $2`,
    [people.enterprise.id, tableName],
  )
  const [source] = rows
  if (source && (source.status === 'LOADING' || source.busy)) return null
  const versions = await versionsIn(pool, `enterprise_${people.enterprise.id}`, tableName)
  if (!source) {
    if (versions !== null) throw new Error(`A table without a source: ${JSON.stringify(versions)}`)
    if (expected.undone) throw new Error('The source is gone')
    return 'undone'
  }
  const holds = ([version, count]: Expected) =>
    source.row_count === String(count) &&
    JSON.stringify(versions) === JSON.stringify([{ version, count: String(count) }])
  if (holds(expected.done)) return 'done'
  if (expected.undone && holds(expected.undone)) return 'undone'
  throw new Error(
    `Neither old nor new: the source has ${source.row_count} rows, is ${source.status}, and its table ${JSON.stringify(versions)}`,
  )
}

async function versionsIn(pool: Pool, schema: string, table: string): Promise<unknown> {
  const { rows: there } = await pool.query<{ name: string | null }>(
    'select to_regclass($1)::text as name',
    [`"${schema}"."${table}"`],
  )
  if (there[0]!.name === null) return null
  const { rows } = await pool.query(
    `select version, count(*)::text as count from "${schema}"."${table}" group by 1 order by 1`,
  )
  return rows
}
