import { randomUUID } from 'node:crypto'

import { expect } from 'chai'

import { createRootDeletion } from '../../../src/domain/folders/delete-root.ts'
import { FolderNotFoundException } from '../../../src/errors/index.ts'
import { type Mail, MailError } from '../../../src/notifications/mailer.ts'
import { createLogger } from '../../../src/observability/logger.ts'
import { MOST_FAILED_NAMED } from '../../../src/resources/root-deletion.ts'
import type { ObjectStore } from '../../../src/storage/object-store.ts'
import { createS3Store } from '../../../src/storage/s3/create-s3-store.ts'
import { useDatabase } from '../../support/database.ts'
import { createFactories, type TestFolder } from '../../support/factories.ts'
import { PATIENCE_MS } from '../../support/patience.ts'
import { type S3Server, startS3Server } from '../../support/s3-server/index.ts'

const CREDENTIALS = { accessKeyId: 'test-access', secretAccessKey: 'test-secret-of-some-length' }
const BUCKET = 'files'

describe('the deletion of a root', () => {
  const database = useDatabase()
  const build = createFactories(() => database.pool)
  let s3: S3Server
  let store: ObjectStore
  /** Gives up soon: what does not answer need not be waited for. */
  let hasty: ObjectStore

  before(async () => {
    s3 = await startS3Server({ ...CREDENTIALS, buckets: [BUCKET] })
    store = openStore(PATIENCE_MS)
    hasty = openStore(300)
  })
  after(async () => {
    await hasty.close()
    await store.close()
    await s3.close()
  })
  beforeEach(() => {
    s3.clearFaults()
    s3.calls.length = 0
  })

  const openStore = (requestTimeoutMs: number) =>
    createS3Store({
      bucket: BUCKET,
      endpoint: s3.endpoint,
      publicEndpoint: null,
      region: 'us-east-1',
      forcePathStyle: true,
      credentials: CREDENTIALS,
      requestTimeoutMs,
      maxAttempts: 1,
    })
  const deletion = (
    given: {
      noticeAfterMs?: number
      silentAfterMs?: number
      store?: ObjectStore
      send?: (mail: Mail) => Promise<void>
    } = {},
  ) =>
    createRootDeletion({
      pool: database.pool,
      knex: database.knex,
      store: given.store ?? store,
      ...(given.silentAfterMs !== undefined && { silentAfterMs: given.silentAfterMs }),
      logger: createLogger({ level: 'silent', pretty: false }),
      mailer: {
        send: given.send ?? (async () => undefined),
        check: async () => undefined,
        close: async () => undefined,
      },
      noticeAfterMs: given.noticeAfterMs ?? 60_000,
      language: 'fr',
    })
  const addDocuments = (folder: TestFolder, howMany: number) =>
    database.pool.query(
      `insert into documents (enterprise_id, folder_id, bucket, path, original_name, content_type,
                              size_bytes, sha256)
       select $1, $2::bigint, $3, $2::text || '/' || n, 'n', 'text/csv', 1, ''
       from generate_series(1, $4) n`,
      [folder.enterpriseId, folder.id, BUCKET, howMany],
    )
  const documentsIn = async ({ id }: TestFolder) => {
    const { rows } = await database.pool.query<{ count: number }>(
      'select count(*) from documents where folder_id = $1',
      [id],
    )
    return rows[0]!.count
  }
  /** Of a job of its own. */
  const aJob = () => ({
    jobUuid: randomUUID(),
    signal: new AbortController().signal,
    report: (_progress: { rows?: number }): void => undefined,
    requireRights: async () => undefined,
  })
  const requestFor = ({ uuid, name }: TestFolder) => ({ uuid, folderName: name })

  it('goes on after batches that hang, fail or are cut in the same run', async () => {
    const actor = await build.user({ role: 'super-admin' })
    const root = await build.folder()
    await addDocuments(root, 4500)
    s3.addFault({ operation: 'DeleteObjects', kind: 'hang', when: 'after' })
    s3.addFault({ operation: 'DeleteObjects', kind: 'answer', status: 503, code: 'SlowDown' })
    s3.addFault({ operation: 'DeleteObjects', kind: 'reset', when: 'before' })
    const stores = [hasty]
    const deleteMany: ObjectStore['deleteMany'] = (...batch) =>
      (stores.pop() ?? store).deleteMany(...batch)
    const given = { store: { ...store, deleteMany } }
    const first = await deletion(given).run(actor, requestFor(root), aJob())
    expect(first.folderDeleted).to.equal(false)
    expect(first.deletedDocuments + first.failedDocuments.length).to.equal(4500)
    expect(await documentsIn(root)).to.equal(first.failedDocuments.length)
    expect(first.failedDocuments.length).to.be.within(2500, 3000)
    const second = await deletion().run(actor, requestFor(root), aJob())
    expect(second).to.include({ folderDeleted: true, deletedFolders: 1 })
  })

  it('stops asking a store that does not answer, however many documents are left', async () => {
    const actor = await build.user({ role: 'super-admin' })
    const root = await build.folder()
    await addDocuments(root, 9500)
    s3.addFault({ operation: 'DeleteObjects', times: Infinity, kind: 'hang', when: 'before' })
    const given = { store: hasty, silentAfterMs: 100 }
    const first = await deletion(given).run(actor, requestFor(root), aJob())
    expect(first).to.include({ folderDeleted: false, deletedDocuments: 0 })
    expect(new Set(first.failedDocuments.map(({ uuid }) => uuid)).size).to.equal(9500)
    const reasons = first.failedDocuments.map(({ reason }) => JSON.stringify(reason))
    expect(new Set(reasons).size).to.equal(1)
    expect(s3.callsOf('DeleteObjects').length).to.be.at.most(4)
    expect(await documentsIn(root)).to.equal(9500)
    s3.clearFaults()
    const second = await deletion().run(actor, requestFor(root), aJob())
    expect(second).to.include({ folderDeleted: true, deletedDocuments: 9500 })
  })

  it('names the first of very many that could not be deleted, and counts all', async () => {
    const actor = await build.user({ role: 'super-admin' })
    const root = await build.folder()
    await addDocuments(root, MOST_FAILED_NAMED + 1_500)
    const deleteMany: ObjectStore['deleteMany'] = async (_bucket, keys) =>
      keys.map((key) => ({ key, outcome: 'failed', why: 'refused' }))
    const result = await deletion({ store: { ...store, deleteMany } }).run(
      actor,
      requestFor(root),
      aJob(),
    )
    expect(result.failedDocuments).to.have.length(MOST_FAILED_NAMED)
    expect(result.failedDocumentCount).to.equal(MOST_FAILED_NAMED + 1_500)
    const again = await deletion().run(actor, requestFor(root), aJob())
    expect(again).to.include({ folderDeleted: true, deletedDocuments: MOST_FAILED_NAMED + 1_500 })
    expect(again).not.to.have.property('failedDocumentCount')
  })

  it('reports what it did when it is told to stop after its last deletion', async () => {
    const actor = await build.user({ role: 'super-admin' })
    const root = await build.folder()
    await addDocuments(root, 3)
    const stop = new AbortController()
    const send = async () => stop.abort(new Error('told to stop'))
    const late = { ...aJob(), signal: stop.signal }
    const result = await deletion({ noticeAfterMs: 0, send }).run(actor, requestFor(root), late)
    expect(result).to.include({ folderDeleted: true, deletedDocuments: 3, notified: true })
  })

  it('stops between batches when it is told to, and goes on later', async () => {
    const actor = await build.user({ role: 'super-admin' })
    const root = await build.folder()
    await addDocuments(root, 8000)
    const stop = new AbortController()
    const stopped = deletion().run(actor, requestFor(root), {
      ...aJob(),
      signal: stop.signal,
      report: () => stop.abort(new Error('told to stop')),
    })
    expect(await stopped.catch((error: Error) => error.message)).to.equal('told to stop')
    const left = await documentsIn(root)
    expect(left).to.be.within(1, 7999)
    const rest = await deletion().run(actor, requestFor(root), aJob())
    expect(rest).to.include({ folderDeleted: true, deletedDocuments: left })
  })

  it('continues the counts of a worker that died', async () => {
    const actor = await build.user({ role: 'super-admin' })
    const root = await build.folder()
    await addDocuments(root, 8000)
    const job = aJob()
    const stop = new AbortController()
    const report = () => stop.abort(new Error('the worker died'))
    await deletion()
      .run(actor, requestFor(root), { ...job, signal: stop.signal, report })
      .catch((error: Error) => expect(error.message).to.equal('the worker died'))
    const seen: number[] = []
    const again = await deletion().run(actor, requestFor(root), {
      ...job,
      report: ({ rows = 0 }) => void seen.push(rows),
    })
    expect(again).to.deep.include({ folderDeleted: true, deletedFolders: 1, failedDocuments: [] })
    expect(again.deletedDocuments).to.equal(8000)
    expect(seen[0]).to.be.above(1000)
    expect(seen.at(-1)).to.equal(8000)
  })

  it('reports the same again when its worker died after the last deletion', async () => {
    const actor = await build.user({ role: 'super-admin' })
    const root = await build.folder()
    await addDocuments(root, 1001)
    const mails: Mail[] = []
    const send = async (mail: Mail) => void mails.push(mail)
    const job = aJob()
    const first = await deletion({ send }).run(actor, requestFor(root), job)
    const again = await deletion({ send }).run(actor, requestFor(root), job)
    expect(again).to.deep.equal(first)
    expect(again).to.include({ folderDeleted: true, deletedDocuments: 1001, notified: true })
    expect(mails.at(-1)?.text).to.include('Documents supprimés\u00a0: 1')
    const refusal = await deletion()
      .run(actor, requestFor(root), aJob())
      .catch((error: Error) => error)
    expect(refusal).to.be.instanceOf(FolderNotFoundException)
  })

  it('reports how far it is', async () => {
    const actor = await build.user({ role: 'super-admin' })
    const root = await build.folder()
    await addDocuments(root, 2500)
    const seen: unknown[] = []
    const report = ({ rows }: { rows?: number }) => void seen.push(rows)
    await deletion().run(actor, requestFor(root), { ...aJob(), report })
    expect(seen).to.have.length(3)
    expect(seen.at(-1)).to.equal(2500)
  })

  it('mails about more than 1,000 files, or about a long run', async () => {
    const actor = await build.user({ role: 'super-admin' })
    const mails: Mail[] = []
    const send = async (mail: Mail) => void mails.push(mail)
    for (const [documents, noticeAfterMs, notified] of [
      [1000, 60_000, false],
      [1001, 60_000, true],
      [1, 0, true],
    ] as const) {
      const root = await build.folder()
      await addDocuments(root, documents)
      const result = await deletion({ send, noticeAfterMs }).run(actor, requestFor(root), aJob())
      expect(result.notified).to.equal(notified)
    }
    expect(mails.map(({ to }) => to)).to.deep.equal([actor.email, actor.email])
  })

  it('succeeds without its mail', async () => {
    const actor = await build.user({ role: 'super-admin' })
    const root = await build.folder()
    const send = async () => {
      throw new MailError('The mail server is away')
    }
    const result = await deletion({ send, noticeAfterMs: 0 }).run(actor, requestFor(root), aJob())
    expect(result).to.include({ folderDeleted: true, notified: false })
  })
})
