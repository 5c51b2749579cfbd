import { expect } from 'chai'

import { failure } from '../support/failure.ts'
import { until } from '../support/patience.ts'
import { someBytes, type StoreContext, streamOf } from './stored-bytes.ts'

const LINK = { filename: 'Rapport été.csv', contentType: 'text/csv', expiresInSeconds: 60 }

const FILENAMES = [
  'plain.csv',
  'Rapport été n°1.xlsx',
  `it's "quoted"; filename=evil.exe`,
  'line\r\nSet-Cookie: a=b\r\n\r\n<html>',
  'a;b,c%20d%.txt',
  'back\\slash/and/slash',
  '😀 日本語 العربية.pdf',
  '\u202egnp.exe',
  'tab\tnul\u0001.txt',
  '   ',
  'x'.repeat(255),
  '😀'.repeat(120),
]

/** The exact name of `filename*`, as a client reads it (RFC 8187). */
function extendedName(disposition: string): string {
  const match =
    /^attachment; filename="[ !#-[\]-~]*"; filename\*=UTF-8''([\w!#$&+\-.^`|~%]+)$/.exec(
      disposition,
    )
  return decodeURIComponent(match?.[1] ?? '')
}

/** Links are followed by plain HTTP, as a browser or curl would. */
export function describeDownloadLinks(context: StoreContext): void {
  describe('a download link', () => {
    const bytes = someBytes(200_000)
    let key: string
    let link: (changes?: Partial<typeof LINK>) => Promise<string>

    beforeEach(async () => {
      const { store, bucket, prefix } = context()
      key = `${prefix}objet n° 1+%2F?.csv`
      await store.put(bucket, key, streamOf(bytes))
      link = (changes) => store.presignDownload({ bucket, key, ...LINK, ...changes })
    })

    it('downloads the object as an attachment, with its type', async () => {
      const response = await fetch(await link())
      expect(response.status).to.equal(200)
      expect(response.headers.get('content-type')).to.equal('text/csv')
      expect(response.headers.get('content-length')).to.equal('200000')
      expect(response.headers.get('accept-ranges')).to.equal('bytes')
      expect(extendedName(response.headers.get('content-disposition') ?? '')).to.equal(
        'Rapport été.csv',
      )
      expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).to.equal(true)
    })

    for (const filename of FILENAMES) {
      it(`carries the name ${JSON.stringify(filename.slice(0, 40))} and nothing else`, async () => {
        const response = await fetch(await link({ filename }))
        await response.body?.cancel()
        expect(response.status).to.equal(200)
        expect(extendedName(response.headers.get('content-disposition') ?? '')).to.equal(filename)
        expect(response.headers.has('set-cookie')).to.equal(false)
      })
    }

    it('sends no content type that is not valid in a header', async () => {
      const response = await fetch(await link({ contentType: 'text/html\r\nX-Evil: 1' }))
      await response.body?.cancel()
      expect(response.headers.get('content-type')).to.equal('application/octet-stream')
      expect(response.headers.has('x-evil')).to.equal(false)
    })

    it('lets a broken download go on where it stopped', async () => {
      const url = await link()
      const first = await fetch(url, { headers: { Range: 'bytes=0-99999' } })
      expect(first.status).to.equal(206)
      expect(first.headers.get('content-range')).to.equal('bytes 0-99999/200000')
      const head = Buffer.from(await first.arrayBuffer())

      const etag = first.headers.get('etag') ?? ''
      const second = await fetch(url, { headers: { Range: 'bytes=100000-', 'If-Range': etag } })
      expect(second.status).to.equal(206)
      const tail = Buffer.from(await second.arrayBuffer())
      expect(Buffer.concat([head, tail]).equals(bytes)).to.equal(true)
    })

    it('refuses a range that begins past the end', async () => {
      const response = await fetch(await link(), { headers: { Range: 'bytes=200000-' } })
      expect(response.status).to.equal(416)
      await response.body?.cancel()
    })

    it('expires', async () => {
      const url = await link({ expiresInSeconds: 1 })
      await until('the link has expired', async () => {
        const response = await fetch(url)
        await response.body?.cancel()
        return response.status === 403
      })
    })

    it('cannot be altered in any parameter, nor given another', async () => {
      const url = new URL(await link())
      for (const name of new Set(url.searchParams.keys())) {
        const altered = new URL(url)
        const value = url.searchParams.get(name) ?? ''
        const last = value.at(-1) === '1' ? '2' : '1'
        altered.searchParams.set(name, value.slice(0, -1) + last)
        await expectRefused(altered, name)

        const without = new URL(url)
        without.searchParams.delete(name)
        await expectRefused(without, `no ${name}`)
      }
      const more = new URL(url)
      more.searchParams.append('response-cache-control', 'public')
      await expectRefused(more, 'one more')
    })

    it('is valid for no other object and no other method', async () => {
      const { store, bucket, prefix } = context()
      await store.put(bucket, `${prefix}secret`, streamOf(Buffer.from('secret')))
      const url = new URL(await link())
      const other = new URL(url)
      other.pathname = other.pathname.replace(/[^/]+$/, 'secret')
      await expectRefused(other, 'another object')
      for (const method of ['PUT', 'DELETE', 'HEAD']) {
        await expectRefused(url, method, { method })
      }
      // A form is posted to a bucket, never to an object: some servers say so before they look at the link.
      expect((await fetch(url, { method: 'POST' })).status).to.be.within(400, 405)
      expect((await store.head(bucket, key)).sizeBytes).to.equal(bytes.length)
    })

    it('answers an object that is gone with 404', async () => {
      const { store, bucket } = context()
      const url = await link()
      await store.deleteMany(bucket, [key])
      const response = await fetch(url)
      expect(response.status).to.equal(404)
      await response.body?.cancel()
    })

    it('ends a download that its reader leaves', async () => {
      const controller = new AbortController()
      const response = await fetch(await link(), { signal: controller.signal })
      controller.abort(new Error('Left'))
      expect(await failure(response.arrayBuffer())).to.be.instanceOf(Error)
    })
  })
}

async function expectRefused(url: URL, what: string, init: RequestInit = {}): Promise<void> {
  const response = await fetch(url, init)
  await response.body?.cancel()
  expect(response.status, what).to.be.within(400, 403)
}
