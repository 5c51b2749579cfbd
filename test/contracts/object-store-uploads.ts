import { buffer } from 'node:stream/consumers'

import { expect } from 'chai'

import { MiB } from '../../pipelines/index.ts'
import type { MultipartUpload } from '../../src/storage/object-store.ts'
import { expectKind, keysBelow, SKEW_MS, someBytes, type StoreContext } from './stored-bytes.ts'

/** Direct uploads: the client sends parts to the addresses it was given. */
export function describeDirectUploads(
  context: StoreContext,
  expectNothingLeft: () => Promise<void>,
): void {
  describe('a direct upload', () => {
    const large = someBytes(5 * MiB)
    const small = someBytes(1_000)
    let upload: MultipartUpload
    let before: number

    beforeEach(async () => {
      const { store, bucket, prefix } = context()
      const key = `${prefix}téléversé.bin`
      before = Date.now()
      const uploadId = await store.createMultipart(bucket, key, { contentType: 'text/csv' })
      upload = { bucket, key, uploadId }
    })
    afterEach(async () => {
      await context().store.abortMultipart(upload)
    })

    const send = async (partNumber: number, bytes: Buffer, sizeBytes = bytes.length) => {
      const link = { ...upload, partNumber, sizeBytes, expiresInSeconds: 60 }
      const url = await context().store.presignPart(link)
      const response = await fetch(url, { method: 'PUT', body: bytes })
      await response.body?.cancel()
      return { status: response.status, etag: response.headers.get('etag') ?? '' }
    }

    it('joins its parts in the order of their numbers', async () => {
      const { store } = context()
      const second = await send(2, small)
      const first = await send(1, large)
      expect([first.status, second.status]).to.deep.equal([200, 200])
      expect(await store.listParts(upload)).to.deep.equal([
        { partNumber: 1, etag: first.etag, sizeBytes: large.length },
        { partNumber: 2, etag: second.etag, sizeBytes: small.length },
      ])

      const facts = await store.completeMultipart(upload, [
        { partNumber: 2, etag: second.etag },
        { partNumber: 1, etag: first.etag },
      ])
      expect(facts.sizeBytes).to.equal(large.length + small.length)
      const { stream } = await store.get(upload.bucket, upload.key)
      expect((await buffer(stream)).equals(Buffer.concat([large, small]))).to.equal(true)
    })

    it('can be completed again, when the first answer was lost', async () => {
      const { store } = context()
      const { etag } = await send(1, small)
      const first = await store.completeMultipart(upload, [{ partNumber: 1, etag }])
      const again = await store.completeMultipart(upload, [{ partNumber: 1, etag }])
      expect(again).to.deep.equal(first)
      await store.abortMultipart(upload)
      expect(await keysBelow(store, upload.bucket, upload.key)).to.deep.equal([upload.key])
    })

    it('uses the bytes that were sent last for a part', async () => {
      const { store } = context()
      await send(1, someBytes(10))
      const { etag } = await send(1, small)
      expect(await store.listParts(upload)).to.deep.equal([
        { partNumber: 1, etag, sizeBytes: 1_000 },
      ])
    })

    it('refuses more or fewer bytes than its address was made for', async () => {
      const { store } = context()
      for (const announced of [999, 1_001]) {
        const { status } = await send(1, small, announced)
        expect(status).to.be.within(400, 413)
      }
      expect(await store.listParts(upload)).to.deep.equal([])
    })

    it('refuses an altered address', async () => {
      const { store } = context()
      const link = { ...upload, partNumber: 1, sizeBytes: 1_000, expiresInSeconds: 60 }
      const url = new URL(await store.presignPart(link))
      for (const name of new Set(url.searchParams.keys())) {
        const altered = new URL(url)
        const value = url.searchParams.get(name) ?? ''
        altered.searchParams.set(name, value.slice(0, -1) + (value.at(-1) === '1' ? '2' : '1'))
        const response = await fetch(altered, { method: 'PUT', body: small })
        await response.body?.cancel()
        expect(response.status, name).to.be.within(400, 404)
      }
      const read = await fetch(url)
      await read.body?.cancel()
      expect(read.status).to.equal(403)
      expect(await store.listParts(upload)).to.deep.equal([])
    })

    it('is not completed with a part that is missing, changed or too small', async () => {
      const { store } = context()
      const first = await send(1, small)
      const second = await send(2, small)
      await expectKind(store.completeMultipart(upload, []), 'invalid')
      await expectKind(
        store.completeMultipart(upload, [{ partNumber: 3, etag: first.etag }]),
        'invalid',
      )
      await expectKind(
        store.completeMultipart(upload, [{ partNumber: 1, etag: '"0123"' }]),
        'invalid',
      )
      await expectKind(
        store.completeMultipart(upload, [
          { partNumber: 1, etag: first.etag },
          { partNumber: 2, etag: second.etag },
        ]),
        'invalid',
      )
      expect(await keysBelow(store, upload.bucket, upload.key)).to.deep.equal([])
    })

    it('leaves nothing when it is aborted, and takes no part any more', async () => {
      const { store } = context()
      await send(1, small)
      await store.abortMultipart(upload)
      await store.abortMultipart(upload)
      expect((await send(2, small)).status).to.equal(404)
      await expectKind(store.listParts(upload), 'not-found')
      await expectKind(
        store.completeMultipart(upload, [
          { partNumber: 1, etag: '"d41d8cd98f00b204e9800998ecf8427e"' },
        ]),
        'not-found',
      )
      await expectNothingLeft()
    })

    it('is listed until it is completed', async () => {
      const { store, bucket } = context()
      const listed = async () => {
        const found: MultipartUpload[] = []
        for await (const page of store.listMultiparts(bucket)) {
          for (const { startedAt, ...open } of page) {
            if (open.key !== upload.key) continue
            expect(startedAt.getTime()).to.be.within(before - SKEW_MS, Date.now() + SKEW_MS)
            found.push(open)
          }
        }
        return found
      }
      expect(await listed()).to.deep.equal([upload])
      const { etag } = await send(1, small)
      await store.completeMultipart(upload, [{ partNumber: 1, etag }])
      expect(await listed()).to.deep.equal([])
    })

    it('knows an upload only under its own key', async () => {
      const { store } = context()
      for (const wrong of [
        { ...upload, key: `${upload.key}x` },
        { ...upload, uploadId: '00000000-0000-4000-8000-000000000000' },
      ]) {
        await expectKind(store.listParts(wrong), 'not-found')
      }
    })

    it('refuses part numbers beyond the limits', async () => {
      const { store } = context()
      for (const partNumber of [0, 10_001, 1.5]) {
        const link = { ...upload, partNumber, sizeBytes: 1, expiresInSeconds: 60 }
        await expectKind(store.presignPart(link), 'invalid')
      }
    })
  })
}
