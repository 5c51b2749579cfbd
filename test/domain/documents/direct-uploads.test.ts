import { rm } from 'node:fs/promises'
import { Readable } from 'node:stream'

import { expect } from 'chai'

import { makeFolder } from '../../support/folder.ts'
import { createDocumentsQuota } from '../../../src/domain/documents/documents-quota.ts'
import { createDirectUploads } from '../../../src/domain/documents/direct-uploads.ts'
import { createPartUploads } from '../../../src/domain/uploads/part-uploads.ts'
import { createUploads, sweepOrphans } from '../../../src/domain/uploads/uploads.ts'
import { UploadNotFoundException } from '../../../src/errors/index.ts'
import { createLogger } from '../../../src/observability/logger.ts'
import type { Presence } from '../../../src/processes/presence.ts'
import { Releases } from '../../../src/processes/releases.ts'
import type { ObjectStore } from '../../../src/storage/object-store.ts'
import { createLocalLinks } from '../../../src/storage/local/local-links.ts'
import { type LocalStore, openLocalStore } from '../../../src/storage/local/open-local-store.ts'
import { StorageError } from '../../../src/storage/storage-error.ts'
import { useDatabase } from '../../support/database.ts'
import { createFactories } from '../../support/factories.ts'
import { addProcess, removeProcess } from '../../support/processes.ts'

const BUCKET = 'documents'
const FILE = { filename: 'a.csv', contentType: 'text/csv', size: 5, folderUuid: undefined }

describe('direct uploads', () => {
  const database = useDatabase()
  const build = createFactories(() => database.pool)
  const links = createLocalLinks({ secret: 'x'.repeat(32), publicBaseUrl: () => '' })
  const { signal } = new AbortController()
  let folder: string
  let store: LocalStore
  let presence: Presence

  beforeEach(async () => {
    presence = await addProcess(database.pool)
    folder = await makeFolder('direct-uploads')
    store = await openLocalStore({ folder, bucket: BUCKET, links })
  })
  afterEach(async () => {
    await store.close()
    await rm(folder, { recursive: true })
  })

  function over(present: ObjectStore, pool = database.pool) {
    const logger = createLogger({ level: 'silent', pretty: false })
    const ours = { pool, presence, releases: new Releases() }
    const quota = createDocumentsQuota(10 ** 12)
    const uploads = createUploads({ ...ours, store, logger })
    const partUploads = createPartUploads({
      ...ours,
      store: present,
      uploads,
      maxUploadBytes: 1000,
    })
    return createDirectUploads({ pool, partUploads, uploads, quota })
  }
  const stored = async () => {
    const keys: string[] = []
    for await (const page of store.list(BUCKET, '')) keys.push(...page.map(({ key }) => key))
    return keys
  }

  const uploadsLeft = async () => {
    const { rows } = await database.pool.query<{ path: string }>(
      'select path from document_uploads',
    )
    return rows.map(({ path }) => path)
  }

  /** The abort comes when the parts were listed, before they are joined or right after it. */
  async function completeAgainstAbort(joined: 'before' | 'late'): Promise<unknown> {
    const actor = await build.user()
    let abort = async () => undefined as void
    const uploads = over({
      ...store,
      async completeMultipart(upload, parts) {
        if (joined === 'before') await store.completeMultipart(upload, parts)
        await abort()
        if (joined === 'late')
          await store.put(BUCKET, upload.key, Readable.from([Buffer.from('x')]))
        return store.head(BUCKET, upload.key)
      },
    })
    const { uuid, parts } = await uploads.beginDirectUpload(actor, FILE)
    const part = links.verify('PUT', parts[0]!.url)
    if (part?.kind !== 'part') throw new Error('The address is none of a part')
    await store.writePart(part.link, 1, Readable.from([Buffer.from('hello')]), { sizeBytes: 5 })
    abort = () => uploads.abortDirectUpload(actor, uuid)
    return uploads.completeDirectUpload(actor, uuid, signal).catch((error: unknown) => error)
  }

  for (const joined of ['before', 'late'] as const) {
    it(`leave nothing when they are aborted during completion, joined ${joined}`, async () => {
      expect(await completeAgainstAbort(joined)).to.be.instanceOf(UploadNotFoundException)
      expect(await stored()).to.deep.equal([])
      const { rows } = await database.pool.query('select from object_claims')
      expect(rows).to.deep.equal([])
    })
  }

  it('are gone when the abort is answered, though a sweep comes right after it is recorded', async () => {
    const answered = Promise.withResolvers<void>()
    const slow = over({
      ...store,
      async abortMultipart(upload) {
        await answered.promise
        await store.abortMultipart(upload)
      },
    })
    const sweeps: Promise<void>[] = []
    const query = async (text: string, values: unknown[]) => {
      const answer = await database.pool.query(text, values)
      if (sweeps.length === 0) sweeps.push(slow.sweepDirectUploads())
      return answer
    }
    const interrupted = Object.assign(Object.create(database.pool) as typeof database.pool, {
      query,
    })
    const actor = await build.user()
    const { uuid } = await over(store).beginDirectUpload(actor, FILE)
    try {
      await over(store, interrupted).abortDirectUpload(actor, uuid)
      expect(await uploadsLeft()).to.deep.equal([])
    } finally {
      answered.resolve()
      await Promise.all(sweeps)
    }
  })

  it('are swept one by one, so that one that cannot be removed does not keep the others', async () => {
    const actor = await build.user()
    const whole = over(store)
    await whole.beginDirectUpload(actor, FILE)
    await whole.beginDirectUpload(actor, FILE)
    await database.pool.query(`update document_uploads set expires_at = '-infinity'`)
    let stuck: string | null = null
    const broken = over({
      ...store,
      abortMultipart: async (upload) => {
        stuck ??= upload.key
        if (upload.key === stuck) throw new StorageError('unavailable', 'no such bucket')
        await store.abortMultipart(upload)
      },
    })
    const failure = await broken.sweepDirectUploads().catch((error: unknown) => error)
    expect(failure).to.be.instanceOf(StorageError)
    expect(await uploadsLeft()).to.deep.equal([stuck])
  })

  it('are swept when the answer to their beginning was lost', async () => {
    const actor = await build.user()
    const uploads = over({
      ...store,
      async createMultipart(...given) {
        await store.createMultipart(...given)
        throw new StorageError('unavailable', 'the answer was lost')
      },
    })
    const failure = await uploads.beginDirectUpload(actor, FILE).catch((error: unknown) => error)
    expect(failure).to.be.instanceOf(StorageError)
    await sweepOrphans({ pool: database.pool, store, presence })
    for await (const page of store.listMultiparts(BUCKET)) expect(page).to.deep.equal([])
  })

  describe('whose time is over while they are being completed', () => {
    async function expireDuringCompletion(meanwhile: () => Promise<void>): Promise<unknown> {
      const actor = await build.user()
      const uploads = over({
        ...store,
        async completeMultipart(upload, parts) {
          const facts = await store.completeMultipart(upload, parts)
          await database.pool.query(`update document_uploads set expires_at = '-infinity'`)
          await meanwhile()
          await uploads.sweepDirectUploads()
          return facts
        },
      })
      const { uuid, parts } = await uploads.beginDirectUpload(actor, FILE)
      const part = links.verify('PUT', parts[0]!.url)
      if (part?.kind !== 'part') throw new Error('The address is none of a part')
      await store.writePart(part.link, 1, Readable.from([Buffer.from('hello')]), { sizeBytes: 5 })
      return uploads.completeDirectUpload(actor, uuid, signal).catch((error: unknown) => error)
    }

    it('are completed all the same', async () => {
      const document = await expireDuringCompletion(async () => undefined)
      expect(document).to.include({ filename: FILE.filename, size: 5 })
    })

    it('are dropped when the process that completes them dies', async () => {
      const outcome = await expireDuringCompletion(() => removeProcess(database.pool, presence))
      expect(outcome).to.be.instanceOf(UploadNotFoundException)
      expect(await stored()).to.deep.equal([])
    })

    it('are dropped when their completion fails: that prolongs nothing', async () => {
      const outcome = await expireDuringCompletion(async () => {
        throw new StorageError('unavailable', 'away')
      })
      expect(outcome).to.be.instanceOf(StorageError)
      await over(store).sweepDirectUploads()
      expect(await uploadsLeft()).to.deep.equal([])
    })
  })
})
