import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'

import { expect } from 'chai'

import { MiB } from '../../pipelines/index.ts'
import type { ObjectStore } from '../../src/storage/object-store.ts'
import { failure } from '../support/failure.ts'
import { describeDirectUploads } from './object-store-uploads.ts'
import { describeDownloadLinks } from './object-store-links.ts'
import { expectKind, keysBelow, sha256, SKEW_MS, someBytes, streamOf } from './stored-bytes.ts'

interface StoreFixture {
  readonly store: ObjectStore
  readonly buckets: readonly [string, string]
  /** Its keys are paths of files, so that there is no `a` beside an `a/b`, and not every name. */
  readonly keysArePaths?: boolean
  /** What only the driver knows: temporary files and the like. */
  remnants?(): Promise<string[]>
  close(): Promise<void>
}

/** What every driver does alike. `open` is called once. */
export function describeObjectStore(name: string, open: () => Promise<StoreFixture>): void {
  describe(`object store contract: ${name}`, () => {
    let fixture: StoreFixture
    let store: ObjectStore
    let bucket: string
    let prefix: string

    before(async () => {
      fixture = await open()
      store = fixture.store
      bucket = fixture.buckets[0]
    })
    after(() => fixture?.close())
    beforeEach(() => {
      prefix = `contract/${randomUUID()}/`
    })

    const expectNothingLeft = async () => {
      expect(await keysBelow(store, bucket, prefix)).to.deep.equal([])
      const uploads: string[] = []
      for await (const page of store.listMultiparts(bucket)) {
        uploads.push(...page.map(({ key }) => key).filter((key) => key.startsWith(prefix)))
      }
      expect(uploads).to.deep.equal([])
      expect((await fixture.remnants?.()) ?? []).to.deep.equal([])
    }

    describe('put and get', () => {
      for (const size of [0, 1, 100_000, 5 * MiB, 20 * MiB + 3]) {
        it(`gives back ${size} bytes and counts and hashes them on the way`, async () => {
          const bytes = someBytes(size)
          const stored = await store.put(bucket, `${prefix}a`, streamOf(bytes))
          expect(stored).to.deep.equal({ sizeBytes: size, sha256: sha256(bytes) })

          const { stream, sizeBytes } = await store.get(bucket, `${prefix}a`)
          expect(sizeBytes).to.equal(size)
          expect((await buffer(stream)).equals(bytes)).to.equal(true)
          expect((await store.head(bucket, `${prefix}a`)).sizeBytes).to.equal(size)
        })
      }

      it('keeps the same key in two buckets apart', async () => {
        const other = fixture.buckets[1]
        await store.put(bucket, `${prefix}a`, streamOf(Buffer.from('one')))
        await store.put(other, `${prefix}a`, streamOf(Buffer.from('two')))
        await store.deleteMany(bucket, [`${prefix}a`])
        const { stream } = await store.get(other, `${prefix}a`)
        expect(String(await buffer(stream))).to.equal('two')
      })

      it('says when the object is not there', async () => {
        await expectKind(store.get(bucket, `${prefix}none`), 'not-found')
        await expectKind(store.head(bucket, `${prefix}none`), 'not-found')
      })

      it('returns the same facts until the object changes', async () => {
        const before = Date.now()
        await store.put(bucket, `${prefix}a`, streamOf(Buffer.from('one')))
        const after = Date.now()
        const first = await store.head(bucket, `${prefix}a`)
        expect(await store.head(bucket, `${prefix}a`)).to.deep.equal(first)
        expect(first.etag).to.match(/^"[^"]+"$/)
        expect(first.lastModified.getTime()).to.be.within(before - SKEW_MS, after + SKEW_MS)
      })
    })

    describe('keys', () => {
      const KEYS = [
        'plain',
        'a',
        'a/b',
        'a//b',
        'a/',
        'UPPER',
        'upper',
        'été/Ünïcode',
        'e\u0301',
        '\u00e9',
        '文件/日本語.csv',
        '😀/👩‍👩‍👧',
        '\u202egnp.exe',
        'a b+c%2F&=?#;:@$,',
        `quotes '" and <tags> & more`,
        ' spaces at both ends ',
        '__proto__',
        'back\\slash',
        '...',
        '.hidden',
        'con',
        `~!*()[]{}^|`,
        'x'.repeat(900),
        '😀'.repeat(200),
      ]

      const PLAIN_KEYS = ['plain', 'a/b', 'UPPER', 'upper', 'été/Ünïcode', '文件/日本語.csv']

      it('are any Unicode text, and different keys are different objects', async () => {
        const keys = fixture.keysArePaths ? PLAIN_KEYS : KEYS
        for (const key of keys) {
          await store.put(bucket, prefix + key, streamOf(Buffer.from(key)))
        }
        expect(await keysBelow(store, bucket, prefix)).to.deep.equal(
          keys.map((key) => prefix + key).toSorted(),
        )
        for (const key of keys) {
          const { stream } = await store.get(bucket, prefix + key)
          expect(String(await buffer(stream))).to.equal(key)
        }
        const outcomes = await store.deleteMany(
          bucket,
          keys.map((key) => prefix + key),
        )
        expect(outcomes).to.deep.equal(
          keys.map((key) => ({ key: prefix + key, outcome: 'deleted' })),
        )
        await expectNothingLeft()
      })

      for (const key of [
        '',
        '..',
        '../../etc/passwd',
        'a/../b',
        'a/./b',
        'a\nb',
        'nul\u0000',
        'lone \ud800',
        'x'.repeat(1025),
      ]) {
        it(`refuses ${JSON.stringify(key.slice(0, 20))}`, async () => {
          const source = streamOf(Buffer.from('x'))
          await expectKind(store.put(bucket, key, source), 'invalid')
          expect(source.destroyed).to.equal(true)
          await expectKind(store.get(bucket, key), 'invalid')
          await expectKind(store.deleteMany(bucket, [key]), 'invalid')
          const link = { filename: 'x', contentType: 'text/plain', expiresInSeconds: 60 }
          await expectKind(store.presignDownload({ bucket, key, ...link }), 'invalid')
        })
      }

      for (const wrong of ['', 'UP', '../x', 'a/b', 'a..b']) {
        it(`refuses the bucket ${JSON.stringify(wrong)}`, () =>
          expectKind(store.get(wrong, 'key'), 'invalid'))
      }
    })

    describe('a put that does not end well', () => {
      for (const [when, sentBytes] of [
        ['at its first byte', 1],
        ['within its first part', MiB],
        ['after several parts', 18 * MiB],
      ] as const) {
        it(`leaves nothing when it is aborted ${when} and the source hangs`, async () => {
          const controller = new AbortController()
          const reason = new Error('The client hung up')
          async function* source() {
            yield someBytes(sentBytes)
            // Asked for more, it says nothing: only the abort can end the put.
            setImmediate(() => controller.abort(reason))
            await new Promise(() => undefined)
          }
          const stream = Readable.from(source(), { objectMode: false })
          const put = store.put(bucket, `${prefix}a`, stream, { signal: controller.signal })
          expect(await failure(put)).to.equal(reason)
          expect(stream.destroyed).to.equal(true)
          await expectNothingLeft()
        })

        it(`leaves nothing when its source fails ${when}`, async () => {
          const reason = new Error('The disk of the client broke')
          function* source() {
            yield someBytes(sentBytes)
            throw reason
          }
          const stream = Readable.from(source(), { objectMode: false })
          expect(await failure(store.put(bucket, `${prefix}a`, stream))).to.equal(reason)
          await expectNothingLeft()
        })
      }

      it('does not begin when it is aborted already', async () => {
        const signal = AbortSignal.abort(new Error('Too late'))
        const stream = streamOf(someBytes(10))
        expect(await failure(store.put(bucket, `${prefix}a`, stream, { signal }))).to.equal(
          signal.reason,
        )
        expect(stream.destroyed).to.equal(true)
        await expectNothingLeft()
      })

      for (const announced of [9, 11]) {
        it(`is refused when 10 bytes come and ${announced} were announced`, async () => {
          const put = store.put(bucket, `${prefix}a`, streamOf(someBytes(10)), {
            sizeBytes: announced,
          })
          await expectKind(put, 'invalid')
          await expectNothingLeft()
        })
      }
    })

    describe('ranges', () => {
      const bytes = someBytes(300_000)
      beforeEach(() => store.put(bucket, `${prefix}a`, streamOf(bytes)))

      for (const range of [
        { start: 0, end: 0 },
        { start: 5, end: 99_999 },
        { start: 299_999 },
        { start: 100_000, end: 900_000 },
      ]) {
        it(`reads ${range.start} to ${range.end ?? 'the end'}`, async () => {
          const { stream, sizeBytes } = await store.get(bucket, `${prefix}a`, { range })
          const expected = bytes.subarray(range.start, (range.end ?? Infinity) + 1)
          expect(sizeBytes).to.equal(bytes.length)
          expect((await buffer(stream)).equals(expected)).to.equal(true)
        })
      }

      it('refuses one that begins past the end', () =>
        expectKind(store.get(bucket, `${prefix}a`, { range: { start: 300_000 } }), 'range'))

      it('refuses one that ends before it begins', () =>
        expectKind(store.get(bucket, `${prefix}a`, { range: { start: 5, end: 4 } }), 'invalid'))
    })

    describe('a get that is broken off', () => {
      it('ends with the reason of its signal', async () => {
        await store.put(bucket, `${prefix}a`, streamOf(someBytes(8 * MiB)))
        const controller = new AbortController()
        const { stream } = await store.get(bucket, `${prefix}a`, { signal: controller.signal })
        const reason = new Error('The reader left')
        const read = async () => {
          for await (const _chunk of stream) controller.abort(reason)
        }
        expect(await failure(read())).to.equal(reason)
      })

      it('harms nothing when the reader destroys the stream', async () => {
        await store.put(bucket, `${prefix}a`, streamOf(someBytes(8 * MiB)))
        for (let turn = 0; turn < 5; turn += 1) {
          const { stream } = await store.get(bucket, `${prefix}a`)
          stream.destroy()
        }
        const { stream } = await store.get(bucket, `${prefix}a`, { range: { start: 0, end: 9 } })
        expect(await buffer(stream)).to.have.length(10)
      })
    })

    describe('deleteMany', () => {
      it('reports each key as gone, in order, whether it was there or not', async () => {
        await store.put(bucket, `${prefix}there`, streamOf(Buffer.from('x')))
        const keys = [`${prefix}absent`, `${prefix}there`, `${prefix}there too/deep/absent`]
        const outcomes = await store.deleteMany(bucket, keys)
        expect(outcomes.map(({ key }) => key)).to.deep.equal(keys)
        expect(outcomes[1]?.outcome).to.equal('deleted')
        for (const { outcome } of outcomes) {
          expect(outcome).to.be.oneOf(['deleted', 'absent-counts-as-deleted'])
        }
        await expectNothingLeft()
      })

      it('deletes a thousand keys', async () => {
        const keys = Array.from({ length: 1000 }, (_, index) => `${prefix}${index}`)
        await store.put(bucket, keys[999]!, streamOf(Buffer.from('x')))
        const outcomes = await store.deleteMany(bucket, keys)
        expect(outcomes).to.have.length(1000)
        expect(outcomes.filter(({ outcome }) => outcome === 'failed')).to.deep.equal([])
        await expectNothingLeft()
      })

      it('refuses more than a thousand keys, and deletes none of them', async () => {
        await store.put(bucket, `${prefix}0`, streamOf(Buffer.from('x')))
        const keys = Array.from({ length: 1001 }, (_, index) => `${prefix}${index}`)
        await expectKind(store.deleteMany(bucket, keys), 'invalid')
        expect(await keysBelow(store, bucket, prefix)).to.deep.equal([`${prefix}0`])
      })

      it('accepts an empty list, and the same key twice', async () => {
        expect(await store.deleteMany(bucket, [])).to.deep.equal([])
        const key = `${prefix}a`
        await store.put(bucket, key, streamOf(Buffer.from('x')))
        expect(await store.deleteMany(bucket, [key, key])).to.have.length(2)
        await expectNothingLeft()
      })

      it('rejects with the reason of its signal', async () => {
        const signal = AbortSignal.abort(new Error('Shutting down'))
        const deletion = store.deleteMany(bucket, [`${prefix}a`], { signal })
        expect(await failure(deletion)).to.equal(signal.reason)
      })
    })

    describe('list', () => {
      it('gives every object below the prefix once, in pages', async () => {
        const keys = Array.from({ length: 10 }, (_, index) => `${prefix}l/${index % 3}/${index}`)
        for (const key of keys) await store.put(bucket, key, streamOf(Buffer.from(key)))
        await store.put(bucket, `${prefix}other`, streamOf(Buffer.from('x')))

        const pages: string[][] = []
        for await (const page of store.list(bucket, `${prefix}l/`, { pageSize: 3 })) {
          for (const { key, sizeBytes } of page) {
            expect(sizeBytes).to.equal(Buffer.byteLength(key))
          }
          pages.push(page.map(({ key }) => key))
        }
        expect(pages.map((page) => page.length)).to.deep.equal([3, 3, 3, 1])
        expect(pages.flat().toSorted()).to.deep.equal(keys.toSorted())
        expect(await keysBelow(store, bucket, `${prefix}l/1/`)).to.have.length(3)
        expect(await keysBelow(store, bucket, `${prefix}o`)).to.deep.equal([`${prefix}other`])
      })

      it('stops when it is aborted', async () => {
        for (const last of ['a', 'b']) {
          await store.put(bucket, prefix + last, streamOf(Buffer.from('x')))
        }
        const controller = new AbortController()
        const { signal } = controller
        const read = async () => {
          for await (const page of store.list(bucket, prefix, { pageSize: 1, signal })) {
            expect(page).to.have.length(1)
            controller.abort(new Error('Enough'))
          }
        }
        expect(await failure(read())).to.equal(signal.reason)
      })
    })

    it('answers a ping', () => store.ping())

    const context = () => ({ store, bucket, prefix })
    describeDownloadLinks(context)
    describeDirectUploads(context, expectNothingLeft)
  })
}
