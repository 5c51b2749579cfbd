import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setImmediate as nextTurn } from 'node:timers/promises'

import { expect } from 'chai'

import { MiB } from '../../../pipelines/index.ts'
import type { ObjectStore } from '../../../src/storage/object-store.ts'
import { createS3Store } from '../../../src/storage/s3/create-s3-store.ts'
import { expectKind, someBytes, streamOf } from '../../contracts/stored-bytes.ts'
import { failure } from '../../support/failure.ts'
import { type S3Server, startS3Server } from '../../support/s3-server/index.ts'
import { PATIENCE_MS, until } from '../../support/patience.ts'

const BUCKET = 'documents'
const CREDENTIALS = { accessKeyId: 'test-key', secretAccessKey: 'test-secret' }
const ATTEMPTS = 3
/** Long for a call that is answered, short for a test that waits for it to pass. */
const HASTY_MS = 500

describe('the S3 driver before a server that fails', () => {
  let server: S3Server
  let store: ObjectStore
  /** The same, which soon gives up a server that does not answer. */
  let hasty: ObjectStore

  before(async () => {
    server = await startS3Server({ ...CREDENTIALS, buckets: [BUCKET] })
    const settings = {
      bucket: BUCKET,
      endpoint: server.endpoint,
      publicEndpoint: 'https://files.example.test',
      region: 'eu-west-3',
      forcePathStyle: true,
      credentials: CREDENTIALS,
      maxAttempts: ATTEMPTS,
      partBytes: 5 * MiB,
    }
    store = createS3Store({ ...settings, requestTimeoutMs: PATIENCE_MS })
    hasty = createS3Store({ ...settings, requestTimeoutMs: HASTY_MS })
  })
  after(async () => {
    await Promise.all([store.close(), hasty.close()])
    await server.close()
  })
  beforeEach(async () => {
    server.clearFaults()
    await store.deleteMany(BUCKET, server.keysIn(BUCKET))
    server.calls.length = 0
    server.refusals.length = 0
  })
  afterEach(() => expect(server.refusals).to.deep.equal([]))

  const fill = async (keys: readonly string[]) => {
    for (const key of keys) await store.put(BUCKET, key, streamOf(Buffer.from('x')))
  }

  const expectNothing = () => {
    expect(server.keysIn(BUCKET)).to.deep.equal([])
    expect(server.openUploadsIn(BUCKET)).to.deep.equal([])
  }

  describe('deleteMany', () => {
    it('reads the errors inside a 200', async () => {
      await fill(['a', 'b', 'c'])
      server.addFault({
        operation: 'DeleteObjects',
        kind: 'key-errors',
        keys: (key) => key === 'b',
        code: 'AccessDenied',
      })
      expect(await store.deleteMany(BUCKET, ['a', 'b', 'c', 'absent'])).to.deep.equal([
        { key: 'a', outcome: 'deleted' },
        { key: 'b', outcome: 'failed', why: 'refused', code: 'AccessDenied' },
        { key: 'c', outcome: 'deleted' },
        { key: 'absent', outcome: 'deleted' },
      ])
      expect(server.keysIn(BUCKET)).to.deep.equal(['b'])
    })

    it('counts a key as deleted that the server calls absent', async () => {
      server.addFault({
        operation: 'DeleteObjects',
        kind: 'key-errors',
        keys: () => true,
        code: 'NoSuchKey',
      })
      expect(await store.deleteMany(BUCKET, ['a'])).to.deep.equal([
        { key: 'a', outcome: 'absent-counts-as-deleted' },
      ])
    })

    for (const fault of [
      { kind: 'answer', status: 503, code: 'SlowDown' },
      { kind: 'answer', status: 500, code: 'InternalError' },
      { kind: 'hang', when: 'before' },
      { kind: 'hang', when: 'after' },
      { kind: 'reset', when: 'before' },
      { kind: 'reset', when: 'after' },
    ] as const) {
      const name = Object.values(fault).join(' ')
      const deleteMany = (keys: readonly string[]) =>
        (fault.kind === 'hang' ? hasty : store).deleteMany(BUCKET, keys)

      it(`tries again after ${name}`, async () => {
        await fill(['a'])
        server.addFault({ operation: 'DeleteObjects', ...fault })
        const outcomes = await deleteMany(['a'])
        expect(outcomes).to.deep.equal([{ key: 'a', outcome: 'deleted' }])
        expect(server.callsOf('DeleteObjects')).to.have.length(2)
      })

      it(`has failed for every key when ${name} does not end, after few attempts`, async () => {
        server.addFault({ operation: 'DeleteObjects', times: Infinity, ...fault })
        const outcomes = await deleteMany(['a', 'b'])
        expect(outcomes.map(({ key, outcome }) => [key, outcome])).to.deep.equal([
          ['a', 'failed'],
          ['b', 'failed'],
        ])
        expect(JSON.stringify(outcomes)).to.not.include('127.0.0.1')
        // One that does not answer at all is not waited for again and again.
        const fewest = fault.kind === 'hang' ? 1 : ATTEMPTS
        const most = fault.kind === 'hang' ? ATTEMPTS - 1 : ATTEMPTS
        expect(server.callsOf('DeleteObjects').length).to.be.within(fewest, most)
      })
    }

    it('asks once for a thousand keys', async () => {
      const keys = Array.from({ length: 1000 }, (_, index) => `k/${index}`)
      await store.deleteMany(BUCKET, keys)
      expect(server.callsOf('DeleteObjects').map((call) => call.keys?.length)).to.deep.equal([1000])
    })
  })

  describe('put', () => {
    const large = someBytes(12 * MiB)

    for (const operation of ['UploadPart', 'CreateMultipartUpload'] as const) {
      it(`goes on when ${operation} fails once`, async () => {
        server.addFault({ operation, kind: 'reset', when: 'before' })
        const { sizeBytes } = await store.put(BUCKET, 'a', streamOf(large))
        expect(sizeBytes).to.equal(large.length)
        const { stream } = await store.get(BUCKET, 'a')
        expect((await buffer(stream)).equals(large)).to.equal(true)
      })
    }

    for (const fault of [
      { operation: 'UploadPart', kind: 'answer', status: 503, code: 'SlowDown' },
      { operation: 'CreateMultipartUpload', kind: 'answer', status: 500, code: 'InternalError' },
      { operation: 'CreateMultipartUpload', kind: 'reset', when: 'after' },
      { operation: 'CompleteMultipartUpload', kind: 'answer', status: 500, code: 'InternalError' },
      { operation: 'CompleteMultipartUpload', kind: 'reset', when: 'after' },
    ] as const) {
      it(`leaves nothing when ${Object.values(fault).join(' ')} does not end`, async () => {
        server.addFault({ times: Infinity, ...fault })
        await expectKind(store.put(BUCKET, 'a', streamOf(large)), 'unavailable')
        expectNothing()
      })
    }

    it('leaves nothing when the only answer to a small one is lost', async () => {
      const fault = { kind: 'reset', when: 'after' } as const
      server.addFault({ operation: 'PutObject', times: Infinity, ...fault })
      await expectKind(store.put(BUCKET, 'a', streamOf(Buffer.from('x'))), 'unavailable')
      expectNothing()
    })

    it('ends when it is aborted while the server hangs', async () => {
      server.addFault({ operation: 'UploadPart', times: Infinity, kind: 'hang', when: 'before' })
      const controller = new AbortController()
      const reason = new Error('The client hung up')
      const put = failure(store.put(BUCKET, 'a', streamOf(large), { signal: controller.signal }))
      await until('it sends parts', () => server.callsOf('UploadPart').length > 0)
      controller.abort(reason)
      expect(await put).to.equal(reason)
      expectNothing()
    })

    it('says that the store is full', async () => {
      const fault = { kind: 'answer', status: 507, code: 'XMinioStorageFull' } as const
      server.addFault({ operation: 'PutObject', times: Infinity, ...fault })
      await expectKind(store.put(BUCKET, 'a', streamOf(Buffer.from('x'))), 'full')
    })

    it('reads no further ahead of a slow server than its parts', async () => {
      server.addFault({ operation: 'UploadPart', times: Infinity, kind: 'hang', when: 'before' })
      let readBytes = 0
      async function* endless() {
        for (;;) {
          readBytes += MiB
          yield someBytes(MiB)
          await nextTurn()
        }
      }
      const source = Readable.from(endless(), { objectMode: false })
      await expectKind(hasty.put(BUCKET, 'a', source), 'unavailable')
      expect(readBytes).to.be.below(20 * MiB)
      expect(source.destroyed).to.equal(true)
    })
  })

  describe('get', () => {
    const bytes = someBytes(2 * MiB)
    beforeEach(() => store.put(BUCKET, 'a', streamOf(bytes)))

    for (const kind of ['cut-body', 'stall-body'] as const) {
      it(`errs, rather than end early, on ${kind}`, async () => {
        server.addFault({ operation: 'GetObject', kind, afterBytes: 100_000 })
        const { stream } = await hasty.get(BUCKET, 'a')
        await expectKind(buffer(stream), 'unavailable')
      })
    }

    it('waits for a slow reader for longer than for the server', async () => {
      const { stream } = await hasty.get(BUCKET, 'a')
      const iterator = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>
      const first = await iterator.next()
      server.addFault({ operation: 'GetObject', times: Infinity, kind: 'hang', when: 'before' })
      await expectKind(hasty.get(BUCKET, 'a'), 'unavailable')
      let received = (first.value as Buffer).length
      for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
        received += next.value.length
      }
      expect(received).to.equal(bytes.length)
    })

    it('is unavailable when the server is too slow to answer', async () => {
      server.addFault({ operation: 'GetObject', times: Infinity, kind: 'hang', when: 'before' })
      await expectKind(hasty.get(BUCKET, 'a'), 'unavailable')
    })
  })

  it('completes a direct upload again when the first answer was lost', async () => {
    const uploadId = await store.createMultipart(BUCKET, 'a')
    const upload = { bucket: BUCKET, key: 'a', uploadId }
    const link = { ...upload, partNumber: 1, sizeBytes: 4, expiresInSeconds: 60 }
    const local = createS3Store({
      bucket: BUCKET,
      endpoint: server.endpoint,
      publicEndpoint: null,
      region: 'eu-west-3',
      forcePathStyle: true,
      credentials: CREDENTIALS,
    })
    const sent = await fetch(await local.presignPart(link), { method: 'PUT', body: 'part' })
    const parts = [{ partNumber: 1, etag: sent.headers.get('etag') ?? '' }]
    server.addFault({ operation: 'CompleteMultipartUpload', kind: 'reset', when: 'after' })
    expect((await local.completeMultipart(upload, parts)).sizeBytes).to.equal(4)
    await local.close()
  })

  it('makes links for the address that clients reach the server by', async () => {
    const link = { filename: 'x', contentType: 'text/plain', expiresInSeconds: 60 }
    const url = await store.presignDownload({ bucket: BUCKET, key: 'a', ...link })
    expect(url).to.match(/^https:\/\/files\.example\.test\/documents\/a\?/)
  })

  it('fails a ping when the bucket is not there, and when nobody answers', async () => {
    server.addFault({ operation: 'HeadBucket', kind: 'answer', status: 403, code: 'AccessDenied' })
    await expectKind(store.ping(), 'unavailable')
    server.addFault({ operation: 'HeadBucket', times: Infinity, kind: 'hang', when: 'before' })
    await expectKind(store.ping(), 'unavailable')
    server.clearFaults()
    await store.ping()
  })
})
