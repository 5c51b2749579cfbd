import { randomUUID } from 'node:crypto'

import { expect } from 'chai'

import type { Actor } from '../../../src/domain/actor.ts'
import type { RequestBody } from '../../support/client.ts'
import type { TestEnterprise } from '../../support/factories.ts'
import { formOf } from '../../support/uploads.ts'
import type { World } from '../world.ts'

export type ThingKind = (typeof THING_KINDS)[number]
const THING_KINDS = [
  'connection',
  'user',
  'folder',
  'deleted-folder',
  'deleted-root',
  'document',
  'upload',
  'personal-token',
  'source',
  'source-with-rejects',
  'reloaded-source',
  'source-with-staged-load',
  'scheduled-source',
  'shape',
  'collection',
  'workflow',
  'launched-workflow',
  'finished-job',
  'queued-job',
] as const

export interface Thing {
  readonly uuid: string
  readonly name: string
  /** Further uuids that stand in its addresses. */
  readonly runUuid?: string
  readonly loadUuid?: string
  readonly slotUuid?: string
  readonly senderUuid?: string
}

/** Makes things that belong to somebody, the way they come about. */
type MakeThing = (owner: Actor, enterprise: TestEnterprise) => Promise<Thing>
export type ThingMakers = Readonly<Record<ThingKind, MakeThing>>

/** The same thing again for the same owner and enterprise: for calls that change nothing. */
export function madeOnce(makers: ThingMakers): ThingMakers {
  const made = new Map<string, Promise<Thing>>()
  const once =
    (kind: ThingKind): MakeThing =>
    (owner, enterprise) => {
      const key = `${kind} ${owner.uuid} ${enterprise.id}`
      const thing = made.get(key) ?? makers[kind](owner, enterprise)
      made.set(key, thing)
      return thing
    }
  return Object.fromEntries(THING_KINDS.map((kind) => [kind, once(kind)])) as ThingMakers
}

export function thingMakers(world: World): ThingMakers {
  const { build, pool, people, forms } = world

  const connection: MakeThing = async (_owner, enterprise) => {
    const name = uniqueName('connection')
    const given = { enterprise, name, baseUrl: forms.url, apiKey: forms.apiKey }
    return { ...(await build.connection(given)), name }
  }
  const folder = async (enterprise: TestEnterprise, parent: bigint | null, deleted: boolean) => {
    const name = uniqueName('folder')
    const { rows } = await pool.query<{ uuid: string }>(
      `insert into folders (name, client_id, enterprise_id, created_by, parent_id, deleted_at)
       values ($1, $2, $3, $2, $4, $5) returning uuid`,
      [name, people.superAdmin.id, enterprise.id, parent, deleted ? new Date() : null],
    )
    return { uuid: rows[0]!.uuid, name }
  }
  // A queued one is dated ahead: the service sends what has waited for long to a worker, whose
  // failure with it would be a change that no request made.
  const job = async (owner: Actor, status: 'SUCCEEDED' | 'QUEUED') => {
    const { rows } = await pool.query<{ uuid: string }>(
      `insert into jobs (kind, owner_id, queued, status, created_at, finished_at)
       values ('matrix', $1, true, $2, now() + case $2 when 'QUEUED' then interval '1 hour' else '0' end,
               case $2 when 'SUCCEEDED' then now() end) returning uuid`,
      [owner.id, status],
    )
    return { uuid: rows[0]!.uuid, name: 'matrix' }
  }
  /** A source with the load that it was made with, and another one. */
  const reloaded = async (enterprise: TestEnterprise, fields: Readonly<Record<string, string>>) => {
    const made = await uploadSource(world, people.superAdmin, enterprise.id)
    expect(made.status, made.text).to.equal(201)
    const uuid = made.body.uuid as string
    const as = world.client.as(people.superAdmin)
    const form = reloadForm(fields)
    const again = await as.request('POST', `/sources/${uuid}/reload`, form)
    expect(again.status, again.text).to.equal(200)
    const loads = await as.get(`/sources/${uuid}/loads`)
    const [latest] = loads.body.items as { uuid: string }[]
    return { uuid, name: 'Matrix', loadUuid: latest!.uuid }
  }
  /** By somebody who may make it there, whoever will call then. */
  const created = async (path: string, body: object, name: string): Promise<Thing> => {
    const answer = await world.client.as(people.superAdmin).post(path, body)
    expect(answer.status, answer.text).to.equal(201)
    return { uuid: answer.body.uuid as string, name }
  }

  const workflow: MakeThing = async (owner, enterprise) => {
    const name = uniqueName('workflow')
    const made = await created('/workflows', { name, enterpriseId: enterprise.id }, name)
    const { uuid } = await connection(owner, enterprise)
    const answer = await world.client
      .as(people.superAdmin)
      .post(`/workflows/${made.uuid}/source-config`, {
        sourceType: 'api',
        connectionUuid: uuid,
        formUuid: forms.forms[0]!.uuid,
        formTitle: 'Form',
      })
    expect(answer.status, answer.text).to.equal(200)
    return made
  }

  return {
    connection,
    user: async (_owner, enterprise) => {
      const { uuid, name } = await build.user({ enterprise })
      return { uuid, name }
    },
    folder: async (_owner, enterprise) =>
      folder(enterprise, (await rootOf(world, enterprise)).id, false),
    'deleted-folder': async (_owner, enterprise) =>
      folder(enterprise, (await rootOf(world, enterprise)).id, true),
    'deleted-root': (_owner, enterprise) => folder(enterprise, null, true),
    document: async (owner) => {
      const name = `${uniqueName('document')}.csv`
      const answer = await uploadDocument(world, owner, name)
      expect(answer.status, answer.text).to.equal(201)
      return { uuid: answer.body.uuid as string, name }
    },
    upload: async (owner) => {
      const answer = await world.client
        .as(owner)
        .post('/documents/uploads', { filename: 'direct.csv', size: 8 })
      expect(answer.status, answer.text).to.equal(201)
      return { uuid: answer.body.uuid as string, name: 'direct.csv' }
    },
    'personal-token': async (owner) => {
      const name = uniqueName('token')
      const answer = await world.client.as(owner).post('/auth/tokens', { name })
      expect(answer.status, answer.text).to.equal(201)
      return { uuid: answer.body.uuid as string, name }
    },
    source: async (_owner, enterprise) => {
      const name = uniqueName('source')
      const answer = await uploadSource(world, people.superAdmin, enterprise.id)
      expect(answer.status, answer.text).to.equal(201)
      return { uuid: answer.body.uuid as string, name }
    },
    'source-with-rejects': async (_owner, enterprise) => {
      const form = newSource('n\n1\nnone\n', enterprise.id, {
        columns: [{ name: 'n', type: 'number' }],
        onInvalid: 'skip',
      })
      const answer = await world.client.as(people.superAdmin).request('POST', '/sources', form)
      expect(answer.status, answer.text).to.equal(201)
      return { uuid: answer.body.uuid as string, name: 'Matrix' }
    },
    'reloaded-source': (_owner, enterprise) => reloaded(enterprise, {}),
    'source-with-staged-load': (_owner, enterprise) => reloaded(enterprise, { publish: 'false' }),
    'scheduled-source': async (owner, enterprise) => {
      const { uuid: connectionUuid } = await connection(owner, enterprise)
      const name = uniqueName('scheduled')
      const made = await created(
        '/sources',
        {
          source: 'api',
          name,
          tableName: `matrix_${randomUUID().slice(0, 8)}`,
          connectionUuid,
          apiResourceType: 'form',
          formUuid: forms.forms[0]!.uuid,
          enterpriseId: enterprise.id,
        },
        name,
      )
      const schedule = await world.client
        .as(people.superAdmin)
        .request('PUT', `/sources/${made.uuid}/schedule`, {
          content: JSON.stringify({ cron: '0 4 1 1 *' }),
          type: 'application/json',
        })
      expect(schedule.status, schedule.text).to.equal(200)
      return made
    },
    shape: (_owner, enterprise) => {
      const name = uniqueName('shape')
      const columns = [{ name: 'a', type: 'text' }]
      return created('/shapes', { name, columns, enterpriseId: enterprise.id }, name)
    },
    collection: async (_owner, enterprise) => {
      const source = await uploadSource(world, people.superAdmin, enterprise.id)
      const name = uniqueName('collection')
      const sender = { key: 'a', name: 'Sender', email: 'sender@trust.test' }
      const body = { name, sourceUuid: source.body.uuid as string, senders: [sender] }
      const made = await created('/collections', body, name)
      const slots = await world.client.as(people.superAdmin).get(`/collections/${made.uuid}/slots`)
      const [slot] = slots.body.items as { uuid: string; sender: { uuid: string } }[]
      return { ...made, slotUuid: slot!.uuid, senderUuid: slot!.sender.uuid }
    },
    workflow,
    'launched-workflow': async (owner, enterprise) => {
      const thing = await workflow(owner, enterprise)
      const run = await world.client.as(people.superAdmin).post(`/workflows/${thing.uuid}/launch`)
      expect(run.status, run.text).to.equal(201)
      return { ...thing, runUuid: run.body.uuid as string }
    },
    'finished-job': (owner) => job(owner, 'SUCCEEDED'),
    'queued-job': (owner) => job(owner, 'QUEUED'),
  }
}

const uniqueName = (kind: string) => `${kind} ${randomUUID().slice(0, 8)}`

/** The enterprise's active root, made when there is none. */
export async function rootOf(
  { pool, people }: World,
  enterprise: TestEnterprise,
): Promise<{ id: bigint; uuid: string }> {
  await pool.query(
    `insert into folders (name, client_id, enterprise_id, created_by)
     select 'Root', $1, $2, $1 where not exists
       (select from folders where enterprise_id = $2 and parent_id is null and deleted_at is null)`,
    [people.superAdmin.id, enterprise.id],
  )
  const { rows } = await pool.query<{ id: bigint; uuid: string }>(
    `select id, uuid from folders
     where enterprise_id = $1 and parent_id is null and deleted_at is null`,
    [enterprise.id],
  )
  return rows[0]!
}

export function uploadDocument(world: World, owner: { uuid: string }, name: string) {
  return world.client.as(owner).request('POST', '/documents', formOf(name, 'a,b\n1,2\n'))
}

export function uploadSource(world: World, by: { uuid: string }, enterpriseId?: number) {
  const form = newSource('a,b\n1,2\n3,4\n', enterpriseId)
  return world.client.as(by).request('POST', '/sources', form)
}

function newSource(content: string, enterpriseId?: number, options?: object): RequestBody {
  return formOf('matrix.csv', content, {
    source: 'file',
    name: 'Matrix',
    tableName: `matrix_${randomUUID().slice(0, 8)}`,
    ...(enterpriseId !== undefined && { enterpriseId: String(enterpriseId) }),
    ...(options && { options: JSON.stringify(options) }),
  })
}

const reloadForm = (fields: Readonly<Record<string, string>>): RequestBody =>
  formOf('matrix.csv', 'a,b\n5,6\n', fields)

/** What was rejected of a source, corrected. */
export function sendCorrections(world: World, by: { uuid: string }, sourceUuid: string) {
  const form = formOf('corrected.csv', 'n\n2\n')
  return world.client.as(by).request('POST', `/sources/${sourceUuid}/rejects`, form)
}

/** A file that is only looked at. */
export function showFile(world: World, by: { uuid: string }, path: string) {
  const form = formOf('matrix.csv', 'a,b\n1,2\n3,4\n')
  return world.client.as(by).request('POST', path, form)
}
