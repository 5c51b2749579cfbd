import { join } from 'node:path'
import { Readable } from 'node:stream'

import { expect } from 'chai'

import { createLocalLinks } from '../../src/storage/local/local-links.ts'
import { type LocalStore, openLocalStore } from '../../src/storage/local/open-local-store.ts'
import { runCli } from '../support/cli.ts'
import { useDatabase } from '../support/database.ts'
import { createFactories, TEST_ENCRYPTION_KEYS } from '../support/factories.ts'
import { startS3Server } from '../support/s3-server/index.ts'
import { useFolder } from '../support/folder.ts'

describe('cli storage check', () => {
  const database = useDatabase()
  const empty = useDatabase()
  const build = createFactories(() => database.pool)
  const dataDir = useFolder('cli-storage')
  let store: LocalStore

  before(async () => {
    const links = createLocalLinks({ secret: 'x'.repeat(32), publicBaseUrl: () => '' })
    store = await openLocalStore({
      folder: join(dataDir.path, 'objects'),
      bucket: 'documents',
      links,
    })
  })

  const check = async (...options: string[]) => {
    const { code, stdout, stderr } = await runCli(['storage', 'check', ...options], {
      DATABASE_URL: database.url,
      DATA_DIR: dataDir.path,
      AUTH_SECRET: 'x'.repeat(32),
      ENCRYPTION_KEYS: TEST_ENCRYPTION_KEYS,
    })
    expect(stderr).to.equal('')
    return { code, report: JSON.parse(stdout) }
  }
  const putObject = (path: string) =>
    store.put('documents', path, Readable.from([Buffer.from('x')]))
  const addDocument = async (path: string) => {
    const { rows } = await database.pool.query<{ uuid: string }>(
      `insert into documents (bucket, path, original_name, content_type, size_bytes, sha256)
       values ('documents', $1, 'a', 'text/csv', 1, '') returning uuid`,
      [path],
    )
    return rows[0]!.uuid
  }

  const addJob = async (path: string) => {
    const owner = await build.user()
    const { rows } = await database.pool.query<{ uuid: string }>(
      `insert into jobs (kind, owner_id, queued, status, input)
       values ('source.create', $1, true, 'QUEUED', $2) returning uuid`,
      [owner.id, { origin: { kind: 'stored', file: { bucket: 'documents', path } } }],
    )
    return rows[0]!.uuid
  }

  it('finds objects without a row and rows without an object, and repairs them when asked to', async () => {
    await putObject('documents/known')
    await addDocument('documents/known')
    await putObject('documents/claimed')
    await database.pool.query(
      `insert into object_claims (bucket, path, expires_at)
       values ('documents', 'documents/claimed', now() + interval '1 hour')`,
    )
    await putObject('documents/orphan')
    await putObject('not-ours/at-all')
    const lost = await addDocument('documents/lost')
    const job = await addJob('documents/of-a-job')

    const expected = {
      objects: 3,
      documents: 2,
      orphanedObjects: ['documents/documents/orphan'],
      orphanedUploads: [],
      missingObjects: [
        { kind: 'document', uuid: lost, object: 'documents/documents/lost' },
        { kind: 'job', uuid: job, object: 'documents/documents/of-a-job' },
      ],
      emptyBuckets: [],
      browserUploads: null,
    }
    const found = await check()
    expect(found.code).to.equal(1)
    expect(found.report).to.deep.equal({ ...expected, removedObjects: 0, removedDocuments: 0 })
    const mended = await check('--repair')
    expect(mended.code).to.equal(0)
    expect(mended.report).to.deep.equal({ ...expected, removedObjects: 1, removedDocuments: 1 })
    await database.pool.query('delete from jobs')
    const after = await check()
    expect(after.code).to.equal(0)
    expect(after.report).to.include({ objects: 2, documents: 1 })
    expect((await store.head('documents', 'not-ours/at-all')).sizeBytes).to.equal(1)
  })

  it('says in words that the storage cannot be reached', async () => {
    const { code, stderr } = await runCli(['storage', 'check'], {
      DATABASE_URL: database.url,
      DATA_DIR: dataDir.path,
      AUTH_SECRET: 'x'.repeat(32),
      ENCRYPTION_KEYS: TEST_ENCRYPTION_KEYS,
      S3_BUCKET: 'documents',
      S3_ENDPOINT: 'http://127.0.0.1:1',
      S3_ACCESS_KEY_ID: 'test',
      S3_SECRET_ACCESS_KEY: 'test-secret',
    })
    expect(code).to.equal(4)
    expect(stderr).to.include('The object storage cannot be reached')
    expect(stderr).to.not.include(' at ')
  })

  it('treats a bucket without any object as a storage that is not there', async () => {
    const { rows } = await database.pool.query<{ uuid: string }>(
      `insert into documents (bucket, path, original_name, content_type, size_bytes, sha256)
       values ('elsewhere', 'documents/a', 'a', 'text/csv', 1, '') returning uuid`,
    )
    const { code, report } = await check('--repair')
    expect(code).to.equal(1)
    expect(report).to.deep.include({
      missingObjects: [{ kind: 'document', uuid: rows[0]!.uuid, object: 'elsewhere/documents/a' }],
      emptyBuckets: ['elsewhere'],
      removedDocuments: 0,
    })
  })

  it('asks the bucket as a browser does whether it takes parts from the console', async () => {
    const origin = 'https://administration.example.com'
    const ask = async (corsOrigin?: string) => {
      const server = await startS3Server({
        buckets: ['files'],
        ...(corsOrigin !== undefined && { corsOrigin }),
      })
      try {
        const { code, stdout } = await runCli(['storage', 'check'], {
          DATABASE_URL: empty.url,
          AUTH_SECRET: 'x'.repeat(32),
          ENCRYPTION_KEYS: TEST_ENCRYPTION_KEYS,
          PUBLIC_URL: `${origin}/tools`,
          ...server.settings,
        })
        const { browserUploads } = JSON.parse(stdout) as { browserUploads: string }
        return { code, browserUploads }
      } finally {
        await server.close()
      }
    }
    expect(await ask(origin)).to.deep.equal({ code: 0, browserUploads: 'allowed' })
    expect(await ask()).to.deep.equal({ code: 1, browserUploads: 'refused' })
    expect(await ask('https://elsewhere.example.com')).to.deep.equal({
      code: 1,
      browserUploads: 'refused',
    })
  })
})
