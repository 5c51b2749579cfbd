import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect } from 'chai'

import { useApp } from '../../support/app.ts'
import type { TestClient } from '../../support/client.ts'
import type { TestFolder } from '../../support/factories.ts'
import { type S3Server, startS3Server } from '../../support/s3-server/index.ts'
import { formOf } from '../../support/uploads.ts'
import { found } from '../../support/patience.ts'

const BUCKETS = ['files-a', 'files-b', 'files-c'] as const

describe('permanent deletion of a root folder', () => {
  let s3: S3Server
  before('starts an object store', async () => {
    s3 = await startS3Server({ buckets: BUCKETS })
  })
  after('stops it', () => s3.close())

  const app = useApp({ env: () => s3.settings })
  let superAdmin: TestClient
  before('signs a super-admin in', async () => {
    superAdmin = app.client.as(
      await app.build.user({ role: 'super-admin', email: 'chef@test.test' }),
    )
  })
  beforeEach(() => {
    s3.clearFaults()
    s3.calls.length = 0
  })

  const upload = async (folder: TestFolder, name = 'a.csv') => {
    const body = formOf(name, 'x', { folderUuid: folder.uuid })
    const answer = await superAdmin.request('POST', '/documents', body)
    expect(answer.status).to.equal(201)
    return answer.body.uuid as string
  }
  const pathOf = async (uuid: string) => {
    const { rows } = await app.database.pool.query<{ path: string }>(
      'select path from documents where uuid = $1',
      [uuid],
    )
    return rows[0]!.path
  }
  const remove = (folder: TestFolder, folderName = folder.name, client = superAdmin) =>
    client.delete(`/folders/${folder.uuid}/root`, { folderName })
  const count = async (sql: string, values: unknown[]) => {
    const { rows } = await app.database.pool.query<{ count: number }>(
      `select count(*) from ${sql}`,
      values,
    )
    return rows[0]!.count
  }
  const foldersLeft = ({ id }: TestFolder) => count('folders where root_id = $1', [id])
  const keysLeft = () => BUCKETS.flatMap((bucket) => s3.keysIn(bucket))

  /** Rows alone: to the store they are keys that are absent already. */
  const addDocuments = (folder: TestFolder, howMany: number) =>
    app.database.pool.query(
      `insert into documents (enterprise_id, folder_id, bucket, path, original_name, content_type,
                              size_bytes, sha256)
       select $1, $2::bigint, ($3::text[])[1 + n % 3], 'made/' || $2::text || '/' || n, 'n', 'text/csv', 1, ''
       from generate_series(1, $4) n`,
      [folder.enterpriseId, folder.id, BUCKETS, howMany],
    )
  const mails = async () => {
    const folder = join(app.dataDir, 'outbox')
    const names = await readdir(folder).catch(() => [])
    return Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
  }

  it('deletes folders, documents and stored files', async () => {
    const root = await app.build.folder()
    const child = await app.build.folder({ parent: root })
    const grandchild = await app.build.folder({ parent: child })
    for (const folder of [root, child, grandchild]) await upload(folder)
    const { status, body } = await remove(root)
    expect(status).to.equal(200)
    expect(body).to.deep.equal({
      folderDeleted: true,
      deletedFolders: 3,
      deletedDocuments: 3,
      failedDocuments: [],
      notified: false,
    })
    expect(keysLeft()).to.deep.equal([])
    expect(await foldersLeft(root)).to.equal(0)
    expect((await remove(root)).status).to.equal(404)
  })

  it('requires the exact name of a root, which may be active or deleted', async () => {
    const root = await app.build.folder({ name: 'Dossier É' })
    const child = await app.build.folder({ parent: root })
    for (const name of ['dossier é', 'Dossier É ', 'Dossier É'.normalize('NFD'), '']) {
      const refused = await remove(root, name)
      expect(refused.status).to.equal(400)
      expect(refused.body.code).to.equal('FolderDeleteConfirmationMismatchException')
    }
    const notRoot = await remove(child)
    expect(notRoot.status).to.equal(400)
    expect(notRoot.body.code).to.equal('FolderNotRootException')
    expect((await superAdmin.delete(`/folders/${root.uuid}/root`)).status).to.equal(400)
    expect(await foldersLeft(root)).to.equal(2)
    await superAdmin.delete(`/folders/${root.uuid}`)
    expect((await remove(root)).body).to.include({ folderDeleted: true, deletedFolders: 2 })
  })

  it('deletes 10,001 files of three buckets in at most 13 calls and sends one mail', async () => {
    const root = await app.build.folder({ name: 'Très grand' })
    const child = await app.build.folder({ parent: root })
    await addDocuments(root, 4000)
    await addDocuments(child, 6001)
    const { body } = await remove(root)
    expect(body).to.include({ folderDeleted: true, deletedDocuments: 10_001, notified: true })
    const calls = s3.callsOf('DeleteObjects')
    expect(calls.length).to.be.at.most(13)
    expect(Math.max(...calls.map(({ keys }) => keys!.length))).to.be.at.most(1000)
    expect(new Set(calls.map(({ bucket }) => bucket)).size).to.equal(3)
    const sent = await mails()
    expect(sent).to.have.length(1)
    expect(sent[0]).to.match(/^To: chef@test\.test/m)
  })

  it('keeps documents whose file could not be deleted, with their folders, and deletes them when called again', async () => {
    const root = await app.build.folder()
    const [kept, gone] = [
      await app.build.folder({ parent: root }),
      await app.build.folder({ parent: root }),
    ]
    const stubborn = await upload(kept)
    const easy = await upload(gone)
    const stubbornPath = await pathOf(stubborn)
    const refuse = () =>
      s3.addFault({
        operation: 'DeleteObjects',
        kind: 'key-errors',
        keys: (key) => key === stubbornPath,
        code: 'AccessDenied',
      })
    refuse()
    const { status, body } = await remove(root)
    expect(status).to.equal(200)
    expect(body).to.deep.include({ folderDeleted: false, deletedFolders: 1, deletedDocuments: 1 })
    expect(body.failedDocuments).to.deep.equal([
      { uuid: stubborn, reason: 'The object storage refused (AccessDenied)' },
    ])
    expect((await superAdmin.get(`/documents/${easy}`)).status).to.equal(404)
    expect((await superAdmin.get(`/documents/${stubborn}`)).status).to.equal(200)
    expect((await superAdmin.get(`/folders/${root.uuid}/breadcrumb`)).status).to.equal(200)
    expect(keysLeft()).to.deep.equal([stubbornPath])

    refuse()
    const inFrench = superAdmin.withHeaders({ 'accept-language': 'fr' })
    const french = await remove(root, root.name, inFrench)
    expect(french.body.failedDocuments[0].reason).to.equal(
      'Le stockage d’objets a refusé (AccessDenied)',
    )

    const again = await remove(root)
    expect(again.body).to.deep.equal({
      folderDeleted: true,
      deletedFolders: 2,
      deletedDocuments: 1,
      failedDocuments: [],
      notified: false,
    })
    expect(keysLeft()).to.deep.equal([])
  })

  it('counts files that are absent already as deleted', async () => {
    const root = await app.build.folder()
    await addDocuments(root, 3)
    expect((await remove(root)).body).to.include({ folderDeleted: true, deletedDocuments: 3 })
  })

  for (const { name, fault } of [
    { name: '500', fault: { kind: 'answer', status: 500, code: 'InternalError' } },
    { name: '503', fault: { kind: 'answer', status: 503, code: 'SlowDown' } },
    { name: 'a reset before', fault: { kind: 'reset', when: 'before' } },
    { name: 'a reset after the deletion', fault: { kind: 'reset', when: 'after' } },
  ] as const) {
    it(`keeps the document after ${name} of every attempt, and deletes it when called again`, async () => {
      const root = await app.build.folder()
      await upload(root)
      s3.addFault({ operation: 'DeleteObjects', times: 3, ...fault })
      const { status, body } = await remove(root)
      expect(status).to.equal(200)
      expect(body).to.include({ folderDeleted: false, deletedDocuments: 0, deletedFolders: 0 })
      expect(body.failedDocuments).to.have.length(1)
      expect((await remove(root)).body).to.include({ folderDeleted: true, deletedDocuments: 1 })
      expect(keysLeft()).to.deep.equal([])
    })
  }

  it('deletes everything once when it is called twice at the same time', async () => {
    const root = await app.build.folder()
    await addDocuments(root, 2500)
    const answers = await Promise.all([remove(root), remove(root)])
    const statuses = answers.map(({ status }) => status)
    expect(statuses).to.include(200)
    for (const status of statuses) expect(status).to.be.oneOf([200, 404, 409])
    expect(await foldersLeft(root)).to.equal(0)
    expect(await count('documents where folder_id = $1', [root.id])).to.equal(0)
  })

  it('leaves no object without a document when files are uploaded meanwhile', async () => {
    const root = await app.build.folder()
    await addDocuments(root, 1500)
    const uploads = Array.from({ length: 8 }, () =>
      superAdmin.request('POST', '/documents', formOf('late', 'x', { folderUuid: root.uuid })),
    )
    const [deletion, ...answers] = await Promise.all([remove(root), ...uploads])
    expect(deletion.body.folderDeleted).to.equal(true)
    for (const { status } of answers) expect(status).to.be.oneOf([201, 404, 409])
    expect(keysLeft()).to.deep.equal([])
    expect(await count('documents where folder_id = $1', [root.id])).to.equal(0)
    expect(await count('object_claims where $1', [true])).to.equal(0)
  })

  it('runs as a job when asked to, with the same result', async () => {
    const root = await app.build.folder()
    await upload(root)
    const client = superAdmin.withHeaders({ prefer: 'respond-async' })
    expect((await remove(root, 'wrong', client)).status).to.equal(400)
    const { status, body, headers } = await remove(root, root.name, client)
    expect(status).to.equal(202)
    expect(headers.get('location')).to.equal(`/jobs/${body.uuid}`)
    const job = await found('the job is done', async () => {
      const shown = await superAdmin.get(`/jobs/${body.uuid}`)
      return shown.body.finishedAt === null ? null : shown
    })
    expect(job.body).to.include({ status: 'SUCCEEDED', kind: 'folder.delete-root' })
    expect(job.body.result).to.deep.equal({
      folderDeleted: true,
      deletedFolders: 1,
      deletedDocuments: 1,
      failedDocuments: [],
      notified: false,
    })
    expect(keysLeft()).to.deep.equal([])
  })
})
