import { PassThrough, Readable } from 'node:stream'

import { expect } from 'chai'

import { LOCKS, lockUntilCommit } from '../../../src/db/locks.ts'
import type { Actor } from '../../../src/domain/actor.ts'
import { ACCESS_TO_WORK } from '../../../src/domain/long-work.ts'
import { allRoutes } from '../../../src/http/routes/index.ts'
import { useApp } from '../../support/app.ts'
import type { TestClient, TestResponse } from '../../support/client.ts'
import type { TestFolder } from '../../support/factories.ts'
import { holdLocks } from '../../support/held-locks.ts'
import { found } from '../../support/patience.ts'
import {
  created,
  createFromFile,
  footprint,
  freshTableName,
  reloadWith,
  rowsOfSource,
  sourceForm,
} from '../../support/sources.ts'
import { formOf } from '../../support/uploads.ts'

const BEFORE = 'ville;nombre\nLyon;1\nParis;2\n'
const AFTER = 'ville;nombre\nNice;3\n'

describe('the rights of a job', () => {
  const app = useApp()
  let admin: Actor
  const client = () => app.client.as(admin)
  const rows = rowsOfSource(client)
  const reload = reloadWith(client)
  const queueing = () => client().withHeaders({ prefer: 'respond-async' })

  beforeEach(async () => {
    admin = await app.build.user()
  })

  const change = (user: Actor, set: string) =>
    app.database.pool.query(`update users set ${set} where id = $1`, [user.id])

  /** No worker takes a job until they are released. */
  const holdQueue = () => holdLocks(app.database.pool, lockUntilCommit(LOCKS.nextJob))

  async function accepted(answer: Promise<TestResponse>): Promise<string> {
    const { status, body, text } = await answer
    expect(status, text).to.equal(202)
    return body.uuid as string
  }

  /** Its owner may see nothing any more. */
  const ended = (uuid: string) =>
    found(`the end of job ${uuid}`, async () => {
      const { rows: jobs } = await app.database.pool.query<{ status: string; code: string | null }>(
        `select status, error ->> 'code' as code from jobs
         where uuid = $1 and finished_at is not null`,
        [uuid],
      )
      return jobs[0] ?? null
    })
  const LOST = { status: 'FAILED', code: 'RightsLostException' }

  interface Queued {
    readonly uuid: string
    /** What must not have changed, however the job ends. */
    seen(): Promise<unknown>
  }

  const viewOf = (uuid: string) => async () => {
    const boss = app.client.as(await app.build.user({ role: 'super-admin' }))
    const { body } = await boss.get(`/sources/${uuid}`)
    const { items } = (await boss.get(`/sources/${uuid}/data`)).body
    return { publications: body.updatedAt, items }
  }

  /** What waits in the queue, for an admin who may do it at that moment. */
  const QUEUED: Readonly<Record<string, (as: TestClient) => Promise<Queued>>> = {
    async 'a creation'(as) {
      const { id } = admin.enterprise!
      const seen = () => footprint(app, id)
      const form = sourceForm({ source: 'file', name: 'A', tableName: freshTableName() }, BEFORE)
      return { uuid: await accepted(as.request('POST', '/sources', { content: form })), seen }
    },
    async 'a reload'(as) {
      const { uuid } = await created(createFromFile(client(), BEFORE))
      const content = sourceForm({}, AFTER)
      const answer = as.request('POST', `/sources/${uuid}/reload`, { content })
      return { uuid: await accepted(answer), seen: viewOf(uuid) }
    },
    async 'an append'(as) {
      const { uuid } = await created(createFromFile(client(), BEFORE))
      const content = sourceForm({ mode: 'append' }, AFTER)
      const answer = as.request('POST', `/sources/${uuid}/reload`, { content })
      return { uuid: await accepted(answer), seen: viewOf(uuid) }
    },
    async corrections(as) {
      const { uuid } = await created(
        createFromFile(client(), 'ville;nombre\nLyon;1\nParis;x\n', {
          options: { onInvalid: 'skip', columns: [{ name: 'nombre', type: 'number' }] },
        }),
      )
      const content = sourceForm({}, 'ville;nombre\nParis;2\n')
      const answer = as.request('POST', `/sources/${uuid}/rejects`, { content })
      return { uuid: await accepted(answer), seen: viewOf(uuid) }
    },
    async 'the publication of a staged load'(as) {
      const { uuid } = await created(createFromFile(client(), BEFORE))
      const staged = (await reload(uuid, AFTER, { publish: 'false' })).body
      const answer = as.post(`/sources/${uuid}/loads/${staged.uuid}/publish`)
      return { uuid: await accepted(answer), seen: viewOf(uuid) }
    },
    async 'a rollback'(as) {
      const { uuid } = await created(createFromFile(client(), BEFORE))
      expect((await reload(uuid, AFTER)).status).to.equal(200)
      return { uuid: await accepted(as.post(`/sources/${uuid}/rollback`, {})), seen: viewOf(uuid) }
    },
    async 'a launch'(as) {
      const document = await client().request('POST', '/documents', formOf('a.csv', BEFORE))
      const { uuid } = (await client().post('/workflows', { name: 'Reprise' })).body
      const config = { sourceType: 'document', documentUuid: document.body.uuid }
      const configured = await client().post(`/workflows/${uuid}/source-config`, config)
      expect(configured.status).to.equal(200)
      const { id } = admin.enterprise!
      const seen = async () => (await footprint(app, id)).parts
      return { uuid: await accepted(as.post(`/workflows/${uuid}/launch`)), seen }
    },
  }

  const LOSSES: Readonly<Record<string, (user: Actor) => Promise<unknown>>> = {
    'was demoted': (user) => change(user, `role_type = 'client'`),
    'was disabled': (user) => change(user, 'disabled_at = now()'),
    'belongs to another enterprise': async (user) =>
      change(user, `enterprise_id = ${(await app.build.enterprise()).id}`),
  }

  for (const [work, queue] of Object.entries(QUEUED)) {
    for (const [what, lose] of Object.entries(LOSSES)) {
      it(`end ${work} that waited while its owner ${what}`, async () => {
        const held = await holdQueue()
        let queued: Queued
        let before: unknown
        try {
          queued = await queue(queueing())
          before = await queued.seen()
          await lose(admin)
        } finally {
          await held.release()
        }
        expect(await ended(queued.uuid)).to.deep.equal(LOST)
        const after = await queued.seen()
        if (work === 'a creation') expect(after).to.include({ parts: 0 })
        else expect(after).to.deep.equal(before)
      })
    }
  }

  describe('to delete a root', () => {
    /** More than one deletion has under way at once. */
    const DOCUMENTS = 6000
    let boss: Actor
    let root: TestFolder
    beforeEach(async () => {
      boss = await app.build.user({ role: 'super-admin', enterprise: await app.build.enterprise() })
      root = await app.build.folder()
      // Rows alone: to the store they are files that are absent already.
      await app.database.pool.query(
        `insert into documents (enterprise_id, folder_id, bucket, path, original_name, content_type,
                                size_bytes, sha256)
         select $1, $2::bigint, $3, 'made/' || $2::text || '/' || n, 'n', 'text/csv', 1, ''
         from generate_series(1, $4) n`,
        [root.enterpriseId, root.id, app.config.storage.bucket, DOCUMENTS],
      )
    })

    const remove = (as: TestClient) =>
      as.delete(`/folders/${root.uuid}/root`, { folderName: root.name })
    const queued = (as: Actor) =>
      accepted(remove(app.client.as(as).withHeaders({ prefer: 'respond-async' })))
    const left = async () => {
      const { rows: counts } = await app.database.pool.query<{
        folders: number
        documents: number
      }>(
        `select (select count(*) from folders where root_id = $1) as folders,
                (select count(*) from documents where folder_id = $1) as documents`,
        [root.id],
      )
      return counts[0]!
    }
    /** The changes that leave nothing of the right to it, and those that leave it. */
    const LOST_BY = {
      'was demoted': () => `role_type = 'admin', enterprise_id = ${root.enterpriseId}`,
      'was disabled': () => 'disabled_at = now()',
    }
    const KEPT_BY = {
      'belongs to another enterprise': () => `enterprise_id = ${root.enterpriseId}`,
    }

    async function whileQueued(set: string) {
      const held = await holdQueue()
      const uuid = await queued(boss)
      await change(boss, set)
      await held.release()
      return ended(uuid)
    }
    /** In the middle of its first batches. */
    async function whileRunning(set: string) {
      const held = await holdLocks(
        app.database.pool,
        `select from documents where folder_id = ${root.id} order by id limit 1 for update`,
      )
      const uuid = await queued(boss)
      await held.isRowWaitedFor()
      await change(boss, set)
      await held.release()
      return ended(uuid)
    }

    for (const [what, set] of Object.entries(LOST_BY)) {
      it(`end it where its owner ${what} while it was queued`, async () => {
        expect(await whileQueued(set())).to.deep.equal(LOST)
        expect(await left()).to.deep.equal({ folders: 1, documents: DOCUMENTS })
      })

      it(`end it between two batches where its owner ${what} while it ran; another finishes it`, async () => {
        expect(await whileRunning(set())).to.deep.equal(LOST)
        const { folders, documents } = await left()
        expect(folders).to.equal(1)
        expect(documents).to.be.above(0)
        const other = app.client.as(await app.build.user({ role: 'super-admin' }))
        const { status, body, text } = await remove(other)
        expect(status, text).to.equal(200)
        expect(body).to.include({ folderDeleted: true, deletedDocuments: documents })
        expect(await left()).to.deep.equal({ folders: 0, documents: 0 })
      })
    }

    for (const [what, set] of Object.entries(KEPT_BY)) {
      for (const way of [whileQueued, whileRunning]) {
        it(`let it go on where its owner ${what} meanwhile: ${way.name}`, async () => {
          expect(await way(set())).to.deep.equal({ status: 'SUCCEEDED', code: null })
          expect(await left()).to.deep.equal({ folders: 0, documents: 0 })
        })
      }
    }
  })

  it('let a demoted super-admin’s job go on that is for their own enterprise', async () => {
    const boss = await app.build.user({ role: 'super-admin' })
    const { id } = await app.build.enterprise()
    const held = await holdQueue()
    const fields = { source: 'file', name: 'A', tableName: 'theirs', enterpriseId: String(id) }
    const as = app.client.as(boss).withHeaders({ prefer: 'respond-async' })
    const uuid = await accepted(
      as.request('POST', '/sources', { content: sourceForm(fields, BEFORE) }),
    )
    await change(boss, `role_type = 'admin', enterprise_id = ${id}`)
    await held.release()
    expect(await ended(uuid)).to.deep.equal({ status: 'SUCCEEDED', code: null })
  })

  it('put what was sent for one enterprise into that one, wherever its super-admin belongs by then', async () => {
    const [first, second] = [await app.build.enterprise(), await app.build.enterprise()]
    const boss = await app.build.user({ role: 'super-admin', enterprise: first })
    const held = await holdQueue()
    const as = app.client.as(boss).withHeaders({ prefer: 'respond-async' })
    const form = sourceForm({ source: 'file', name: 'A', tableName: 'moved' }, BEFORE)
    const uuid = await accepted(as.request('POST', '/sources', { content: form }))
    await change(boss, `enterprise_id = ${second.id}`)
    await held.release()
    expect(await ended(uuid)).to.include({ status: 'SUCCEEDED' })
    expect((await footprint(app, first.id)).sources).to.deep.equal(['moved'])
  })

  for (const way of ['queued', 'while its caller waits'] as const) {
    it(`are judged in the transaction that publishes: a job done ${way}`, async () => {
      const { uuid } = await created(createFromFile(client(), BEFORE))
      const { id } = (
        await app.database.pool.query<{ id: number }>('select id from users where id = $1', [
          admin.id,
        ])
      ).rows[0]!
      // Nobody else sees the change before it is committed, and the seal waits for it.
      const changing = await holdLocks(
        app.database.pool,
        `update users set role_type = 'client' where id = ${id}`,
      )
      const as = way === 'queued' ? queueing() : client()
      const answer = as.request('POST', `/sources/${uuid}/reload`, {
        content: sourceForm({}, AFTER),
      })
      const job = way === 'queued' ? await accepted(answer) : null
      await changing.isRowWaitedFor()
      await changing.release()
      if (job === null) {
        expect((await answer).body).to.include({ status: 403, code: 'RightsLostException' })
      } else {
        expect(await ended(job)).to.deep.equal(LOST)
      }
      await change(admin, `role_type = 'admin'`)
      expect(await rows(uuid)).to.deep.include({ ville: 'Lyon', nombre: 1 })
      const { items } = (await client().get(`/sources/${uuid}/loads`)).body
      expect(items[0]).to.include({ state: 'failed' })
    })
  }

  it('end a load whose user is disabled while they still send it', async () => {
    const body = new PassThrough()
    const begun = '--x\r\ncontent-disposition: form-data; name="'
    for (const [name, value] of Object.entries({
      source: 'file',
      name: 'A',
      tableName: freshTableName(),
    })) {
      body.write(`${begun}${name}"\r\n\r\n${value}\r\n`)
    }
    body.write(`${begun}file"; filename="a.csv"\r\n\r\nville;nombre\n`)
    const sent = client().request('POST', '/sources', {
      content: Readable.toWeb(body) as ReadableStream,
      type: 'multipart/form-data; boundary=x',
    })
    const { uuid } = await found('the job', async () => {
      const { rows: jobs } = await app.database.pool.query<{ uuid: string }>(
        `select uuid from jobs where owner_id = $1 and status = 'RUNNING'`,
        [admin.id],
      )
      return jobs[0] ?? null
    })
    const boss = app.client.as(await app.build.user({ role: 'super-admin' }))
    expect((await boss.patch(`/users/${admin.uuid}`, { disabled: true })).status).to.equal(200)
    expect(await ended(uuid)).to.deep.equal(LOST)
    body.end()
    expect((await sent).body).to.include({ status: 403, code: 'RightsLostException' })
    expect((await footprint(app, admin.enterprise!.id)).sources).to.deep.equal([])
  })

  it('are those that the route of the work asks for', () => {
    const stated = allRoutes('0')
      .map(({ spec }) => spec)
      .flatMap(({ longRunning, access }) => (longRunning ? [[longRunning, access]] : []))
    expect(stated).to.have.length(Object.keys(ACCESS_TO_WORK).length - 1)
    for (const [kind, access] of stated) {
      expect(access, kind).to.equal(ACCESS_TO_WORK[kind as keyof typeof ACCESS_TO_WORK])
    }
  })
})
