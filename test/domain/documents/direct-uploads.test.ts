import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'

import { expect } from 'chai'

import { createDirectUploads } from '../../../src/domain/documents/direct-uploads.ts'
import type { DirectUploads } from '../../../src/domain/documents/documents.ts'
import { createUploads } from '../../../src/domain/uploads/create-uploads.ts'
import { UploadNotFoundException } from '../../../src/errors/index.ts'
import { createLogger } from '../../../src/observability/logger.ts'
import type { ObjectStore } from '../../../src/storage/object-store.ts'
import { createLocalLinks } from '../../../src/storage/local/local-links.ts'
import { type LocalStore, openLocalStore } from '../../../src/storage/local/open-local-store.ts'
import { useDatabase } from '../../support/database.ts'
import { createFactories } from '../../support/factories.ts'

const BUCKET = 'documents'
const FILE = { filename: 'a.csv', contentType: 'text/csv', sizeBytes: 5, folderUuid: undefined }

describe('direct uploads', () => {
  const database = useDatabase()
  const build = createFactories(() => database.pool)
  const links = createLocalLinks({ secret: 'x'.repeat(32), publicBaseUrl: () => '' })
  const { signal } = new AbortController()
  let folder: string
  let store: LocalStore

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'direct-uploads-'))
    store = await openLocalStore({ folder, bucket: BUCKET, links })
  })
  afterEach(async () => {
    await store.close()
    await rm(folder, { recursive: true })
  })

  function over(present: ObjectStore): DirectUploads & Disposable {
    const { pool } = database
    const logger = createLogger({ level: 'silent', pretty: false })
    const uploads = createUploads({ pool, store, logger, heartbeatMs: 60_000 })
    const direct = createDirectUploads({ pool, store: present, uploads, maxUploadBytes: 1000 })
    return { ...direct, [Symbol.dispose]: () => uploads[Symbol.dispose]() }
  }
  const stored = async () => {
    const keys: string[] = []
    for await (const page of store.list(BUCKET, '')) keys.push(...page.map(({ key }) => key))
    return keys
  }

  /** The abort comes when the parts were listed, before they are joined or right after it. */
  async function completeAgainstAbort(joined: 'before' | 'late'): Promise<unknown> {
    const actor = await build.user()
    let abort = async () => undefined as void
    using uploads = over({
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
})
