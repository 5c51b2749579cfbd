import { randomUUID } from 'node:crypto'

import { expect } from 'chai'

import { useApp } from '../../support/app.ts'
import type { TestClient } from '../../support/client.ts'
import { formOf } from '../../support/uploads.ts'

const FIELDS = [
  'uuid',
  'name',
  'client_id',
  'enterprise_id',
  'created_by',
  'parent_id',
  'parentUuid',
  'created_at',
  'updated_at',
  'deleted_at',
  'enterprise',
  'documentCount',
  'childCount',
]

const namesOf = (answer: { body: { items: { name: string }[] } }) =>
  answer.body.items.map(({ name }) => name)

describe('folders', () => {
  const app = useApp()
  let root: TestClient

  before('signs a super-admin in', async () => {
    root = app.client.as(await app.build.user({ role: 'super-admin' }))
  })

  const createRoot = async (given: object = {}) => {
    const enterprise = await app.build.enterprise()
    const answer = await root.post('/folders', {
      name: 'Root',
      enterpriseId: enterprise.id,
      ...given,
    })
    expect(answer.status).to.equal(201)
    return { enterprise, folder: answer.body }
  }
  const createChild = async (parentUuid: string, name = 'Child', client = root) => {
    const answer = await client.post('/folders', { name, parentUuid })
    expect(answer.status).to.equal(201)
    return answer.body
  }

  describe('creation', () => {
    it('creates a root with the field names of the contract', async () => {
      const enterprise = await app.build.enterprise({ name: 'Atelier' })
      const owner = await app.build.user({ role: 'client', enterprise })
      await app.build.user({ role: 'client', enterprise })
      const actor = await app.build.user({ role: 'super-admin' })
      const { status, body } = await app.client
        .as(actor)
        .post('/folders', { name: '  Dossier  ', enterpriseId: enterprise.id })
      expect(status).to.equal(201)
      expect(Object.keys(body)).to.have.members(FIELDS)
      expect(body).to.deep.include({
        name: 'Dossier',
        client_id: owner.id,
        enterprise_id: enterprise.id,
        created_by: actor.id,
        parent_id: null,
        parentUuid: null,
        deleted_at: null,
        enterprise: { ...enterprise },
        documentCount: 0,
        childCount: 0,
      })
    })

    it('uses the actor as the client where the enterprise has no enterprise account', async () => {
      const actor = await app.build.user({ role: 'super-admin' })
      const enterprise = await app.build.enterprise()
      await app.build.user({ role: 'client', accountType: 'personal', enterprise })
      const { body } = await app.client
        .as(actor)
        .post('/folders', { name: 'a', enterpriseId: enterprise.id })
      expect(body.client_id).to.equal(actor.id)
    })

    it('uses the client that is named, and refuses one that does not exist', async () => {
      const client = await app.build.user()
      const { folder } = await createRoot({ clientId: client.id })
      expect(folder.client_id).to.equal(client.id)
      const enterprise = await app.build.enterprise()
      const refused = await root.post('/folders', {
        name: 'a',
        enterpriseId: enterprise.id,
        clientId: 2_000_000_000,
      })
      expect(refused.status).to.equal(400)
      expect(refused.body.errors[0].pointer).to.equal('/clientId')
    })

    it('gives a sub-folder enterprise and client of its parent', async () => {
      const { folder } = await createRoot()
      const child = await createChild(folder.uuid)
      expect(child).to.include({
        parentUuid: folder.uuid,
        enterprise_id: folder.enterprise_id,
        client_id: folder.client_id,
      })
      expect(child.parent_id).to.be.a('number')
    })

    it('refuses a second active root, and takes one again when the first is deleted', async () => {
      const { enterprise, folder } = await createRoot()
      const again = () => root.post('/folders', { name: 'Second', enterpriseId: enterprise.id })
      const refused = await again()
      expect(refused.status).to.equal(409)
      expect(refused.body.code).to.equal('FolderRootAlreadyExistsException')
      await root.delete(`/folders/${folder.uuid}`)
      expect((await again()).status).to.equal(201)
    })

    it('creates one root when eight are sent at once', async () => {
      const enterprise = await app.build.enterprise()
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, n) =>
          root.post('/folders', { name: `Root ${n}`, enterpriseId: enterprise.id }),
        ),
      )
      expect(answers.map(({ status }) => status).toSorted()).to.deep.equal([
        201,
        ...Array.from({ length: 7 }, () => 409),
      ])
    })

    it('answers bad input with 400, and what is unknown with 404', async () => {
      const { enterprise, folder } = await createRoot()
      const bad = [
        { name: 'a' },
        { name: 'a', enterpriseId: enterprise.id, parentUuid: folder.uuid },
        { name: 'a', parentUuid: folder.uuid, clientId: 1 },
        { name: ' ', parentUuid: folder.uuid },
        { name: 'x'.repeat(256), parentUuid: folder.uuid },
        { name: 'a\0', parentUuid: folder.uuid },
        { name: 7, parentUuid: folder.uuid },
        { parentUuid: folder.uuid },
        { name: 'a', parentUuid: 'no uuid' },
        { name: 'a', enterpriseId: '1' },
        { name: 'a', parentUuid: folder.uuid, colour: 'red' },
      ]
      for (const body of bad) {
        expect((await root.post('/folders', body)).status, JSON.stringify(body)).to.equal(400)
      }
      const noEnterprise = await root.post('/folders', { name: 'a', enterpriseId: 2_000_000_000 })
      expect(noEnterprise.status).to.equal(404)
      expect(noEnterprise.body.code).to.equal('EnterpriseNotFoundException')
      const noParent = await root.post('/folders', { name: 'a', parentUuid: randomUUID() })
      expect(noParent.status).to.equal(404)
      expect(noParent.body.code).to.equal('FolderNotFoundException')
      expect(
        (await root.post('/folders', { name: '𝒳'.repeat(255), parentUuid: folder.uuid })).status,
      ).to.equal(201)
    })
  })

  describe('access', () => {
    it('lets enterprise accounts work in the tree of their own enterprise', async () => {
      const { enterprise, folder } = await createRoot()
      for (const role of ['client', 'admin'] as const) {
        const client = app.client.as(await app.build.user({ role, enterprise }))
        const child = await createChild(folder.uuid, role, client)
        expect((await client.get(`/folders/${folder.uuid}/children`)).status).to.equal(200)
        expect((await client.get(`/folders/${child.uuid}/breadcrumb`)).status).to.equal(200)
      }
    })

    it('shows enterprise accounts of other enterprises nothing at all', async () => {
      const { folder } = await createRoot()
      const client = app.client.as(await app.build.user({ role: 'client' }))
      for (const uuid of [folder.uuid, randomUUID()]) {
        expect((await client.post('/folders', { name: 'a', parentUuid: uuid })).status).to.equal(
          404,
        )
        expect((await client.get(`/folders/${uuid}/children`)).status).to.equal(404)
        expect((await client.get(`/folders/${uuid}/breadcrumb`)).status).to.equal(404)
      }
      const lone = app.client.as(await app.build.user({ role: 'admin', enterprise: null }))
      expect((await lone.get(`/folders/${folder.uuid}/children`)).status).to.equal(404)
    })

    it('refuses personal accounts, and keeps everything else to super-admins', async () => {
      const { enterprise, folder } = await createRoot()
      const personal = app.client.as(
        await app.build.user({ role: 'client', accountType: 'personal', enterprise }),
      )
      const account = app.client.as(await app.build.user({ role: 'admin', enterprise }))
      const shared = [
        ['POST', '/folders', { name: 'a', parentUuid: folder.uuid }],
        ['GET', `/folders/${folder.uuid}/children`],
        ['GET', `/folders/${folder.uuid}/breadcrumb`],
      ] as const
      const reserved = [
        ['GET', '/folders'],
        ['GET', '/folders/enterprises'],
        ['POST', '/folders', { name: 'a', enterpriseId: enterprise.id }],
        ['PATCH', `/folders/${folder.uuid}`, { name: 'b' }],
        ['DELETE', `/folders/${folder.uuid}`],
        ['POST', `/folders/${folder.uuid}/restore`],
        ['POST', `/folders/${folder.uuid}/move`, { parentUuid: folder.uuid }],
        ['DELETE', `/folders/${folder.uuid}/root`, { folderName: 'Root' }],
      ] as const
      const ask = (client: TestClient, [method, path, body]: readonly [string, string, object?]) =>
        client.request(
          method,
          path,
          body && { content: JSON.stringify(body), type: 'application/json' },
        )
      for (const call of [...shared, ...reserved]) {
        expect((await ask(personal, call)).status, `${call[0]} ${call[1]}`).to.equal(403)
        expect((await ask(app.client, call)).status).to.equal(401)
      }
      for (const call of reserved) {
        expect((await ask(account, call)).status, `${call[0]} ${call[1]}`).to.equal(403)
      }
      expect((await root.get(`/folders/${folder.uuid}/children`)).body.total).to.equal(0)
    })

    it('shows everyone the root of their own enterprise, with its children', async () => {
      const { enterprise, folder } = await createRoot()
      const [older, newer] = [
        await createChild(folder.uuid, 'A'),
        await createChild(folder.uuid, 'B'),
      ]
      await createChild(older.uuid, 'below')
      const personal = await app.build.user({ role: 'client', accountType: 'personal', enterprise })
      const { status, body } = await app.client.as(personal).get('/folders/mine')
      expect(status).to.equal(200)
      expect(body).to.include({ uuid: folder.uuid, childCount: 2 })
      expect(body.children.map(({ uuid }: { uuid: string }) => uuid)).to.deep.equal([
        newer.uuid,
        older.uuid,
      ])
      const stranger = app.client.as(await app.build.user({ role: 'client' }))
      const none = await stranger.get('/folders/mine')
      expect(none.status).to.equal(404)
      expect(none.body.code).to.equal('FolderNotFoundException')
      expect((await root.get('/folders/mine')).status).to.equal(404)
    })
  })

  describe('lists', () => {
    it('lists roots newest first, seven to a page, and all on demand', async () => {
      const made = []
      for (let n = 0; n < 8; n++) made.push(await createRoot({ name: `Listed ${n}` }))
      await createChild(made[7]!.folder.uuid, 'Listed child')
      const page = await root.get('/folders?search=listed')
      expect(namesOf(page)).to.deep.equal([7, 6, 5, 4, 3, 2, 1].map((n) => `Listed ${n}`))
      expect(page.body).to.include({ total: 8, page: 1, limit: 7 })
      expect(namesOf(await root.get('/folders?search=listed&page=2'))).to.deep.equal(['Listed 0'])
      const all = await root.get('/folders?search=listed&parent=all&limit=1')
      expect(namesOf(all)).to.deep.equal(['Listed child'])
      expect(all.body.total).to.equal(9)
      const beyond = await root.get('/folders?search=listed&page=9')
      expect(beyond.body).to.deep.include({ items: [], total: 8 })
    })

    it('searches folder and enterprise names without case and accents, % and _ literally', async () => {
      const enterprise = await app.build.enterprise({ name: 'Société Générale Çà' })
      await root.post('/folders', { name: 'Œuvre 50%_net', enterpriseId: enterprise.id })
      for (const term of ['SOCIETE GENERALE ca', 'oeuvre', '50%', '%_n']) {
        const found = await root.get(`/folders?search=${encodeURIComponent(term)}`)
        expect(namesOf(found), term).to.deep.equal(['Œuvre 50%_net'])
      }
      const none = await root.get(`/folders?search=${encodeURIComponent('5_%')}`)
      expect(none.body.total).to.equal(0)
    })

    it('filters by account type and enterprise', async () => {
      const personal = await app.build.enterprise({ accountType: 'personal' })
      await root.post('/folders', { name: 'Perso', enterpriseId: personal.id })
      const { enterprise, folder } = await createRoot()
      expect(namesOf(await root.get('/folders?accountType=personal'))).to.deep.equal(['Perso'])
      const own = await root.get(`/folders?enterpriseId=${enterprise.id}&accountType=enterprise`)
      expect(own.body.items.map(({ uuid }: { uuid: string }) => uuid)).to.deep.equal([folder.uuid])
      for (const query of [
        'accountType=x',
        'parent=x',
        'limit=0',
        'limit=101',
        'page=0',
        'colour=red',
        'limit=1&limit=2',
      ]) {
        expect((await root.get(`/folders?${query}`)).status, query).to.equal(400)
      }
    })

    it('says which enterprises have a root', async () => {
      const bare = await app.build.enterprise({ name: 'Nue SARL' })
      const enterprise = await app.build.enterprise({ name: 'Vêtue SARL' })
      await root.post('/folders', { name: 'a', enterpriseId: enterprise.id })
      const { body } = await root.get('/folders/enterprises?search=sarl')
      expect(body).to.deep.equal({
        items: [
          { ...enterprise, hasFolder: true },
          { ...bare, hasFolder: false },
        ],
        total: 2,
        page: 1,
        limit: 20,
      })
    })

    it('counts what lies directly in each folder', async () => {
      const { folder } = await createRoot()
      const child = await createChild(folder.uuid)
      const grandchild = await createChild(child.uuid)
      await root.delete(`/folders/${(await createChild(child.uuid)).uuid}`)
      for (const folderUuid of [child.uuid, child.uuid, grandchild.uuid]) {
        await root.request('POST', '/documents', formOf('a', 'a', { folderUuid }))
      }
      const { body } = await root.get(`/folders/${folder.uuid}/children`)
      expect(body.items).to.have.length(1)
      expect(body.items[0]).to.include({ uuid: child.uuid, childCount: 1, documentCount: 2 })
    })

    it('shows the breadcrumb from the root down', async () => {
      const { folder } = await createRoot()
      const child = await createChild(folder.uuid, 'B')
      const grandchild = await createChild(child.uuid, 'C')
      const { body } = await root.get(`/folders/${grandchild.uuid}/breadcrumb`)
      expect(body.items).to.deep.equal([
        { uuid: folder.uuid, name: 'Root' },
        { uuid: child.uuid, name: 'B' },
        { uuid: grandchild.uuid, name: 'C' },
      ])
    })
  })

  describe('changes', () => {
    it('renames and keeps the enterprise in the answer', async () => {
      const { enterprise, folder } = await createRoot()
      const { status, body } = await root.patch(`/folders/${folder.uuid}`, { name: ' Nouveau ' })
      expect(status).to.equal(200)
      expect(body).to.deep.include({
        ...folder,
        name: 'Nouveau',
        updated_at: body.updated_at,
        enterprise: { ...enterprise },
      })
      for (const name of ['', ' ', 'x'.repeat(256), null, 'a\0b']) {
        expect((await root.patch(`/folders/${folder.uuid}`, { name })).status).to.equal(400)
      }
      expect((await root.patch(`/folders/${randomUUID()}`, { name: 'a' })).status).to.equal(404)
      expect((await root.patch('/folders/no-uuid', { name: 'a' })).status).to.equal(400)
    })

    it('deletes a subtree with one time, and restores exactly that', async () => {
      const { folder } = await createRoot()
      const child = await createChild(folder.uuid, 'child')
      const early = await createChild(child.uuid, 'deleted before')
      const kept = await createChild(child.uuid, 'kept')
      await root.delete(`/folders/${early.uuid}`)
      const deleted = await root.delete(`/folders/${folder.uuid}`)
      expect(deleted.status).to.equal(200)
      expect(deleted.body.message).to.be.a('string')
      const { rows } = await app.database.pool.query<{ uuid: string; deleted_at: Date }>(
        'select uuid, deleted_at from folders where root_id = (select id from folders where uuid = $1)',
        [folder.uuid],
      )
      const times = new Map(rows.map((row) => [row.uuid, row.deleted_at.getTime()]))
      expect(times.get(kept.uuid)).to.equal(times.get(folder.uuid))
      expect(times.get(early.uuid)).to.be.lessThan(times.get(folder.uuid)!)
      for (const uuid of [folder.uuid, kept.uuid]) {
        expect((await root.get(`/folders/${uuid}/breadcrumb`)).status).to.equal(404)
        expect((await root.delete(`/folders/${uuid}`)).status).to.equal(404)
        expect((await root.patch(`/folders/${uuid}`, { name: 'a' })).status).to.equal(404)
      }

      const orphan = await root.post(`/folders/${child.uuid}/restore`)
      expect(orphan.status).to.equal(409)
      expect(orphan.body.code).to.equal('FolderRestoreConflictException')
      const mine = `/folders?parent=deleted&enterpriseId=${folder.enterprise.id}`
      expect(namesOf(await root.get(mine))).to.deep.equal(['deleted before', folder.name])
      const restored = await root.post(`/folders/${folder.uuid}/restore`)
      expect(restored.status).to.equal(200)
      expect(restored.body).to.include({ uuid: folder.uuid, deleted_at: null })
      expect(namesOf(await root.get(`/folders/${child.uuid}/children`))).to.deep.equal(['kept'])
      expect(namesOf(await root.get(mine))).to.deep.equal(['deleted before'])
      expect((await root.post(`/folders/${early.uuid}/restore`)).status).to.equal(200)
      expect(namesOf(await root.get(mine))).to.deep.equal([])
    })

    it('refuses to restore a root whose place is taken', async () => {
      const { enterprise, folder } = await createRoot()
      await root.delete(`/folders/${folder.uuid}`)
      await root.post('/folders', { name: 'Next', enterpriseId: enterprise.id })
      const refused = await root.post(`/folders/${folder.uuid}/restore`)
      expect(refused.status).to.equal(409)
      expect(refused.body.code).to.equal('FolderRestoreConflictException')
      expect(refused.body.detail).to.contain('another active root')
    })

    it('moves inside one enterprise, and never below itself', async () => {
      const { folder } = await createRoot()
      const a = await createChild(folder.uuid, 'a')
      const b = await createChild(folder.uuid, 'b')
      const below = await createChild(a.uuid, 'below a')
      const moved = await root.post(`/folders/${a.uuid}/move`, { parentUuid: b.uuid })
      expect(moved.status).to.equal(200)
      expect(moved.body.parentUuid).to.equal(b.uuid)
      for (const [uuid, parentUuid] of [
        [b.uuid, below.uuid],
        [a.uuid, a.uuid],
        [folder.uuid, below.uuid],
      ]) {
        const refused = await root.post(`/folders/${uuid}/move`, { parentUuid })
        expect(refused.status).to.equal(409)
        expect(refused.body.code).to.equal('FolderMoveConflictException')
      }
      const { folder: elsewhere } = await createRoot()
      const foreign = await root.post(`/folders/${a.uuid}/move`, { parentUuid: elsewhere.uuid })
      expect(foreign.status).to.equal(400)
      expect(
        (await root.post(`/folders/${a.uuid}/move`, { parentUuid: randomUUID() })).status,
      ).to.equal(404)
    })

    it('prevents two moves at once from making a circle', async () => {
      const { folder } = await createRoot()
      for (let round = 0; round < 5; round++) {
        const a = await createChild(folder.uuid)
        const b = await createChild(folder.uuid)
        const answers = await Promise.all([
          root.post(`/folders/${a.uuid}/move`, { parentUuid: b.uuid }),
          root.post(`/folders/${b.uuid}/move`, { parentUuid: a.uuid }),
        ])
        expect(answers.map(({ status }) => status).toSorted()).to.deep.equal([200, 409])
      }
    })

    it('leaves no active folder below one that is deleted at the same time', async () => {
      const { folder } = await createRoot()
      const parent = await createChild(folder.uuid)
      await Promise.all([
        ...Array.from({ length: 6 }, () =>
          root.post('/folders', { name: 'late', parentUuid: parent.uuid }),
        ),
        root.delete(`/folders/${parent.uuid}`),
      ])
      const { rows } = await app.database.pool.query(
        `select 1 from folders c join folders p on p.id = c.parent_id
         where c.deleted_at is null and p.deleted_at is not null`,
      )
      expect(rows).to.deep.equal([])
    })
  })

  it('walks a tree 10,000 deep', async () => {
    const { folder } = await createRoot()
    const { rows } = await app.database.pool.query<{ uuid: string; id: number }>(
      'select uuid, id from folders where uuid = $1',
      [folder.uuid],
    )
    await app.database.pool.query(
      `do $$
       declare parent bigint := ${rows[0]!.id};
       begin
         for depth in 2..10000 loop
           insert into folders (name, client_id, enterprise_id, created_by, parent_id)
           select 'Level ' || depth, client_id, enterprise_id, created_by, id
           from folders where id = parent returning id into parent;
         end loop;
       end $$`,
    )
    const { rows: deepest } = await app.database.pool.query<{ uuid: string }>(
      'select uuid from folders where root_id = $1 order by id desc limit 1',
      [rows[0]!.id],
    )
    const path = await root.get(`/folders/${deepest[0]!.uuid}/breadcrumb`)
    expect(path.body.items).to.have.length(10_000)
    expect(path.body.items[0].uuid).to.equal(folder.uuid)
    expect((await root.delete(`/folders/${folder.uuid}`)).status).to.equal(200)
    expect((await root.post(`/folders/${folder.uuid}/restore`)).status).to.equal(200)
    const gone = await root.delete(`/folders/${folder.uuid}/root`, { folderName: 'Root' })
    expect(gone.body).to.include({ folderDeleted: true, deletedFolders: 10_000 })
  })
})
