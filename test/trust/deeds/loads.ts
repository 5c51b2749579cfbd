import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

import { expect } from 'chai'

import type { TestResponse } from '../../support/client.ts'
import { csvOf } from '../tools/csv-of.ts'
import type { World } from '../world.ts'
import { MIND_MADE_UP_MS, type Undertaking } from './deed.ts'
import { sourceState } from './source-state.ts'
import { postReload, postSource, uniqueTable } from './sources.ts'

const ROWS = 20_000
const MORE_ROWS = 25_000
const COMMON = 15_000
const KEY_ASKED_AGAIN_MS = 250

/** A source with rows of the version `old`. */
async function newSource(world: World): Promise<{ uuid: string; tableName: string }> {
  const tableName = uniqueTable()
  const given = { tableName, content: csvOf('old', ROWS) }
  const { uuid } = done(await postSource(world.client.as(world.people.admin), given), 201)
  return { uuid: uuid as string, tableName }
}

function done({ status, text, body }: TestResponse, expected = 200): TestResponse['body'] {
  expect(status, text).to.equal(expected)
  return body
}

/** Rows that came twice would be there twice: nothing but the key of the request keeps them from it. */
export const appendByKey: Undertaking = {
  name: 'append to a source by an Idempotency-Key',
  succeeds: [200],
  // The answer of the first, or that it was lost.
  repeated: [200, 409],
  async prepare(world) {
    const { uuid, tableName } = await newSource(world)
    const { admin } = world.people
    const headers = { 'idempotency-key': randomUUID() }
    return {
      run: (client) =>
        onceFree(() =>
          postReload(client.as(admin).withHeaders(headers), uuid, csvOf('new', MORE_ROWS), {
            mode: 'append',
          }),
        ),
      state: () =>
        sourceState(world, tableName, {
          undone: { old: ROWS },
          done: { new: MORE_ROWS, old: ROWS },
        }),
    }
  },
}

/** The key of a request that failed is free a moment after the database is back. */
async function onceFree(send: () => Promise<TestResponse>): Promise<TestResponse> {
  const until = performance.now() + MIND_MADE_UP_MS
  for (;;) {
    const answer = await send()
    const isInUse = answer.body?.code === 'IdempotencyKeyInUseException'
    if (!isInUse || performance.now() > until) return answer
    await sleep(KEY_ASKED_AGAIN_MS)
  }
}

/** The first rows have the keys of rows that are there. */
const upserted = () => csvOf('new', COMMON)
const UPSERTED = { new: COMMON, old: ROWS - COMMON }

export const upsertIntoSource: Undertaking = {
  name: 'upsert into a source',
  succeeds: [200],
  repeated: [200],
  async prepare(world) {
    const { uuid, tableName } = await newSource(world)
    const { admin } = world.people
    const fields = { mode: 'upsert', key: 'id' }
    return {
      run: (client) => postReload(client.as(admin), uuid, upserted(), fields),
      state: () => sourceState(world, tableName, { undone: { old: ROWS }, done: UPSERTED }),
    }
  },
}

export const rollBackSource: Undertaking = {
  name: 'rollback of a source over an upsert and a reload',
  succeeds: [200],
  repeated: [409],
  async prepare(world) {
    const { uuid, tableName } = await newSource(world)
    const client = world.client.as(world.people.admin)
    done(await client.patch(`/sources/${uuid}`, { keepLoads: 3 }))
    const [creation] = done(await client.get(`/sources/${uuid}/loads`)).items
    done(await postReload(client, uuid, upserted(), { mode: 'upsert', key: 'id' }))
    done(await postReload(client, uuid, csvOf('other', MORE_ROWS)))
    const load = creation.uuid as string
    return {
      run: (by) => by.as(world.people.admin).post(`/sources/${uuid}/rollback`, { load }),
      state: () =>
        sourceState(world, tableName, { undone: { other: MORE_ROWS }, done: { old: ROWS } }),
    }
  },
}

export const publishStaged: Undertaking = {
  name: 'publication of a staged upsert',
  succeeds: [200],
  repeated: [409],
  async prepare(world) {
    const { uuid, tableName } = await newSource(world)
    const client = world.client.as(world.people.admin)
    const fields = { mode: 'upsert', key: 'id', publish: 'false' }
    const { uuid: load } = done(await postReload(client, uuid, upserted(), fields))
    const path = `/sources/${uuid}/loads/${load as string}/publish`
    return {
      run: (by) => by.as(world.people.admin).post(path),
      state: () => sourceState(world, tableName, { undone: { old: ROWS }, done: UPSERTED }),
    }
  },
}

export const takeOutLoad: Undertaking = {
  name: 'taking an upsert out again',
  succeeds: [200],
  repeated: [409],
  async prepare(world) {
    const { uuid, tableName } = await newSource(world)
    const client = world.client.as(world.people.admin)
    done(await postReload(client, uuid, upserted(), { mode: 'upsert', key: 'id' }))
    const [upsert] = done(await client.get(`/sources/${uuid}/loads`)).items
    const path = `/sources/${uuid}/loads/${upsert.uuid as string}`
    return {
      run: (by) => by.as(world.people.admin).delete(path),
      state: () => sourceState(world, tableName, { undone: UPSERTED, done: { old: ROWS } }),
    }
  },
}
