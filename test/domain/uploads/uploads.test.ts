import { rm } from 'node:fs/promises'
import { PassThrough, Readable } from 'node:stream'

import { expect } from 'chai'

import { makeFolder } from '../../support/folder.ts'
import { withTransaction } from '../../../src/db/transaction.ts'
import { createUploads, type Uploads, sweepOrphans } from '../../../src/domain/uploads/uploads.ts'
import { createLogger } from '../../../src/observability/logger.ts'
import type { Presence } from '../../../src/processes/presence.ts'
import { Releases } from '../../../src/processes/releases.ts'
import { createLocalLinks } from '../../../src/storage/local/local-links.ts'
import { type LocalStore, openLocalStore } from '../../../src/storage/local/open-local-store.ts'
import { StorageError } from '../../../src/storage/storage-error.ts'
import { useDatabase } from '../../support/database.ts'
import { createFactories } from '../../support/factories.ts'
import { addProcess, removeProcess } from '../../support/processes.ts'

const BUCKET = 'documents'

describe('uploads', () => {
  const database = useDatabase()
  let folder: string
  let store: LocalStore
  let uploads: Uploads
  let presence: Presence
  const releases = new Releases()

  beforeEach(async () => {
    folder = await makeFolder('uploads')
    const links = createLocalLinks({ secret: 'x'.repeat(32), publicBaseUrl: () => 'http://x' })
    store = await openLocalStore({ folder, bucket: BUCKET, links })
    const logger = createLogger({ level: 'silent', pretty: false })
    presence = await addProcess(database.pool)
    uploads = createUploads({ pool: database.pool, store, logger, presence, releases })
  })
  afterEach(async () => {
    await store.close()
    await rm(folder, { recursive: true })
    await database.pool.query('delete from object_claims')
  })

  const begin = () => uploads.begin(Readable.from([Buffer.from('bytes')]), { prefix: 'documents' })
  const claims = async () => {
    const { rows } = await database.pool.query<{ path: string }>('select path from object_claims')
    return rows.map(({ path }) => path)
  }
  const stored = async () => {
    const keys: string[] = []
    for await (const page of store.list(BUCKET, '')) keys.push(...page.map(({ key }) => key))
    return keys
  }
  /** Their process is dead; another one sweeps. */
  const die = async () => {
    await removeProcess(database.pool, presence)
    presence = await addProcess(database.pool)
  }
  const sweep = () => sweepOrphans({ pool: database.pool, store, presence })

  it('hold a claim until a row owns the object', async () => {
    const upload = await begin()
    expect(await claims()).to.deep.equal([upload.path])
    expect((await upload.stored).sizeBytes).to.equal(5)
    await withTransaction(database.pool, (client) => uploads.keep(client, upload))
    expect(await claims()).to.deep.equal([])
    await uploads.sweep()
    expect(await stored()).to.deep.equal([upload.path])
  })

  it('are swept with their object when their process is gone', async () => {
    const upload = await begin()
    await upload.stored
    await sweep()
    expect(await stored()).to.deep.equal([upload.path])
    await die()
    await sweep()
    expect(await stored()).to.deep.equal([])
    expect(await claims()).to.deep.equal([])
  })

  it('are swept with the parts of an upload that never ended', async () => {
    const upload = await begin()
    await upload.stored
    await store.createMultipart(BUCKET, upload.path)
    const other = await store.createMultipart(BUCKET, 'documents/other')
    await die()
    await sweep()
    const open: string[] = []
    for await (const page of store.listMultiparts(BUCKET)) {
      open.push(...page.map(({ uploadId }) => uploadId))
    }
    expect(open).to.deep.equal([other])
  })

  it('can no longer be kept once the sweep has taken them', async () => {
    const upload = await begin()
    await upload.stored
    await database.pool.query('update object_claims set sweeping = true')
    const kept = withTransaction(database.pool, (client) => uploads.keep(client, upload))
    const error = await kept.catch((failure: Error) => failure)
    expect(error).to.have.property('name', 'ServiceUnavailableException')
  })

  it('stay when they are discarded although their commit succeeded', async () => {
    const upload = await begin()
    await upload.stored
    await withTransaction(database.pool, (client) => uploads.keep(client, upload))
    await uploads.discard(upload)
    expect(await stored()).to.deep.equal([upload.path])
  })

  it('are removed when they are discarded after a rollback', async () => {
    const upload = await begin()
    await upload.stored
    await withTransaction(database.pool, async (client) => {
      await uploads.keep(client, upload)
      throw new Error('no row')
    }).catch(() => undefined)
    await uploads.discard(upload)
    expect(await stored()).to.deep.equal([])
    expect(await claims()).to.deep.equal([])
  })

  it('wait for a worker without a living process, but not for ever', async () => {
    const upload = await begin()
    await upload.stored
    await uploads.park(upload, 60_000)
    await die()
    await sweep()
    expect(await stored()).to.deep.equal([upload.path])
    await database.pool.query(`update object_claims set expires_at = '-infinity'`)
    await sweep()
    expect(await stored()).to.deep.equal([])
  })

  it('stay for as long as a job has yet to read them, however long it has waited', async () => {
    const owner = await createFactories(() => database.pool).user()
    for (const place of [['origin'], ['reload', 'origin'], ['mended', 'origin']]) {
      const upload = await begin()
      await upload.stored
      await uploads.park(upload, 0)
      const { bucket, path } = upload
      const input = place.reduceRight<object>((inner, name) => ({ [name]: inner }), {
        kind: 'stored',
        file: { bucket, path },
      })
      await database.pool.query(
        `insert into jobs (kind, owner_id, queued, status, input)
         values ('source.create', $1, true, 'QUEUED', $2)`,
        [owner.id, input],
      )
      await sweep()
      expect(await stored(), place.join()).to.deep.equal([path])
      await database.pool.query(`update jobs set status = 'FAILED', input = null`)
      await sweep()
      expect(await stored(), place.join()).to.deep.equal([])
    }
  })

  it('are swept when the outcome of their commit is unknown and no row owns them', async () => {
    const [kept, lost] = [await begin(), await begin()]
    for (const upload of [kept, lost]) await upload.stored
    await withTransaction(database.pool, (client) => uploads.keep(client, kept))
    for (const upload of [kept, lost]) await uploads.abandon(upload)
    await sweep()
    expect(await stored()).to.deep.equal([kept.path])
  })

  it('leave nothing when they are stored after their process was taken for dead', async () => {
    const source = new PassThrough()
    const upload = await uploads.begin(source, { prefix: 'documents' })
    await die()
    await sweep()
    source.end('bytes')
    await upload.stored
    const kept = withTransaction(database.pool, (client) => uploads.keep(client, upload))
    const error = await kept.catch((failure: Error) => failure)
    expect(error).to.have.property('name', 'ServiceUnavailableException')
    await uploads.discard(upload)
    expect(await stored()).to.deep.equal([])
  })

  it('are swept later when the store did not remove them', async () => {
    const upload = await begin()
    await upload.stored
    const { deleteMany } = store
    Object.assign(store, {
      deleteMany: () => Promise.reject(new StorageError('unavailable', 'away')),
    })
    await uploads.discard(upload)
    Object.assign(store, { deleteMany })
    expect(await stored()).to.deep.equal([upload.path])
    await sweep()
    expect(await stored()).to.deep.equal([])
    expect(await claims()).to.deep.equal([])
  })

  it('leave nothing when their stream breaks', async () => {
    const broken = Readable.from(
      (function* () {
        yield Buffer.from('half')
        throw new Error('cut')
      })(),
      { objectMode: false },
    )
    const upload = await uploads.begin(broken, { prefix: 'documents' })
    const error = await upload.stored.catch((failure: Error) => failure)
    expect(error).to.have.property('message', 'cut')
    await uploads.discard(upload)
    expect(await stored()).to.deep.equal([])
    expect(await claims()).to.deep.equal([])
  })

  it('are swept in the other buckets when one bucket no longer exists', async () => {
    await database.pool.query(
      `insert into object_claims (bucket, path, expires_at) values ('a-bucket', 'documents/a', now())`,
    )
    const upload = await begin()
    await upload.stored
    await die()
    const failing: LocalStore = {
      ...store,
      deleteMany: async (bucket, keys) => {
        if (bucket === 'a-bucket') throw new StorageError('unavailable', 'no such bucket')
        return store.deleteMany(bucket, keys)
      },
    }
    const parts = { pool: database.pool, store: failing, presence }
    const failure = await sweepOrphans(parts).catch((error: unknown) => error)
    expect(failure).to.be.instanceOf(StorageError)
    expect(await stored()).to.deep.equal([])
    expect(await claims()).to.deep.equal(['documents/a'])
  })
})
