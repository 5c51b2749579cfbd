import { expect } from 'chai'

import { createLocalLinks } from '../../../src/storage/local/local-links.ts'

const DOWNLOAD = {
  bucket: 'documents',
  key: 'a/été?.csv',
  filename: 'lone \ud800 "x".csv',
  contentType: 'text/csv',
  expiresInSeconds: 300,
}
const PART = {
  bucket: 'documents',
  key: 'a/b',
  uploadId: 'u',
  partNumber: 3,
  sizeBytes: 10,
  expiresInSeconds: 300,
}

describe('links of the local store', () => {
  let nowMs = 0
  let base = 'http://127.0.0.1:3000'
  const settings = { publicBaseUrl: () => base, now: () => nowMs }
  const links = createLocalLinks({ secret: 'one', ...settings })
  const target = (url: string) => url.slice(base.length)

  beforeEach(() => {
    nowMs = Date.UTC(2026, 0, 1)
    base = 'http://127.0.0.1:3000'
  })

  it('begin with the address that the service has when they are made', () => {
    base = 'https://files.example.test/app'
    expect(links.download(DOWNLOAD)).to.match(
      /^https:\/\/files\.example\.test\/app\/storage\/objects\/documents\/a\/%C3%A9t%C3%A9%3F\.csv\?/,
    )
  })

  it('are valid for what they were made for, until they expire', () => {
    const url = target(links.download(DOWNLOAD))
    const link = {
      bucket: 'documents',
      key: 'a/été?.csv',
      filename: 'lone \ufffd "x".csv',
      contentType: 'text/csv',
    }
    expect(links.verify('GET', url)).to.deep.equal({ kind: 'download', link })
    expect(links.verify('HEAD', url)).to.equal(null)
    nowMs += 299_000
    expect(links.verify('GET', url)).to.not.equal(null)
    nowMs += 1_000
    expect(links.verify('GET', url)).to.equal(null)
  })

  it('of a part are for one PUT of one size', () => {
    const url = target(links.part(PART))
    const { expiresInSeconds: _, ...link } = PART
    expect(links.verify('PUT', url)).to.deep.equal({ kind: 'part', link })
    expect(links.verify('GET', url)).to.equal(null)
    for (const altered of [
      url.replace('/u/3', '/u/4'),
      url.replace('/u/3', '/v/3'),
      url.replace('size=10', 'size=11'),
      url.replace('size=10', 'size=10&size=10'),
      url.replace('key=a', 'key=c'),
    ]) {
      expect(altered).to.not.equal(url)
      expect(links.verify('PUT', altered), altered).to.equal(null)
    }
  })

  it('of a part are written in one way alone', () => {
    const url = target(links.part(PART))
    for (const number of ['03', '3.0', '3e0', '0x3', '+3', '3/more', '3/', '']) {
      expect(links.verify('PUT', url.replace('/3?', `/${number}?`)), number).to.equal(null)
    }
  })

  it('made with another secret are refused', () => {
    const stranger = createLocalLinks({ secret: 'two', ...settings })
    expect(links.verify('GET', target(stranger.download(DOWNLOAD)))).to.equal(null)
    expect(links.verify('PUT', target(stranger.part(PART)))).to.equal(null)
  })

  it('cannot be altered in a single character', () => {
    const url = target(links.download(DOWNLOAD))
    for (let at = 0; at < url.length; at += 1) {
      const altered = url.slice(0, at) + (url[at] === 'x' ? 'y' : 'x') + url.slice(at + 1)
      expect(links.verify('GET', altered), altered).to.equal(null)
    }
  })

  for (const nonsense of [
    '',
    '/',
    '/storage/objects/',
    '/storage/objects/%E0%A4%A',
    '/storage/uploads/x',
    '/other?signature=1',
  ]) {
    it(`refuses ${JSON.stringify(nonsense)}`, () => {
      for (const method of ['GET', 'PUT']) expect(links.verify(method, nonsense)).to.equal(null)
    })
  }
})
