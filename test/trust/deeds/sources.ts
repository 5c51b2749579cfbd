import { randomUUID } from 'node:crypto'

import { expect } from 'chai'

import type { TestClient, TestResponse } from '../../support/client.ts'
import { formOf } from '../../support/uploads.ts'
import { csvOf } from '../tools/csv-of.ts'
import type { Undertaking } from './deed.ts'
import { sourceState } from './source-state.ts'

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
      state: () => sourceState(world, given.tableName, { done: { new: ROWS } }),
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
        return sourceState(world, given.tableName, { done: { later: ROWS } })
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
      run: (client) => postReload(client.as(admin), created.body.uuid as string, content),
      state: () =>
        sourceState(world, given.tableName, {
          undone: { old: ROWS },
          done: { new: RELOADED_ROWS },
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
        const left = await sourceState(world, given.tableName, { done: { old: 2_000 } })
        return left === 'done' ? 'undone' : left && 'done'
      },
    }
  },
}

export const uniqueTable = () => `deed_${randomUUID().replaceAll('-', '').slice(0, 12)}`

export function postReload(
  client: TestClient,
  uuid: string,
  content: Buffer,
  fields: Readonly<Record<string, string>> = {},
): Promise<TestResponse> {
  return client.request('POST', `/sources/${uuid}/reload`, formOf('table.csv', content, fields))
}

export function postSource(
  client: TestClient,
  { tableName, content }: NewSource,
): Promise<TestResponse> {
  const form = formOf('table.csv', content, { source: 'file', name: 'Deed', tableName })
  return client.request('POST', '/sources', form)
}
