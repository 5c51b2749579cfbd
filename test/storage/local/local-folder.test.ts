import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'

import { expect } from 'chai'

import { makeFolder } from '../../support/folder.ts'
import { createLocalLinks } from '../../../src/storage/local/local-links.ts'
import { type LocalStore, openLocalStore } from '../../../src/storage/local/open-local-store.ts'
import { serveObject } from '../../../src/storage/local/link-server.ts'
import type { StorageError } from '../../../src/storage/storage-error.ts'
import { expectKind, streamOf } from '../../contracts/stored-bytes.ts'
import { failure } from '../../support/failure.ts'

const links = createLocalLinks({ secret: 'for tests', publicBaseUrl: () => 'http://localhost' })

describe('the folder of the local store', () => {
  let folder: string
  let store: LocalStore
  const open = () => openLocalStore({ folder, bucket: 'documents', links })

  beforeEach(async () => {
    folder = join(await makeFolder('local-folder'), 'made when needed')
    store = await open()
  })
  afterEach(() => rm(join(folder, '..'), { recursive: true, force: true }))

  it('keeps its objects and its open uploads over a restart', async () => {
    await store.put('documents', 'a', streamOf(Buffer.from('kept')))
    const uploadId = await store.createMultipart('documents', 'b')
    const again = await open()
    expect((await again.head('documents', 'a')).sizeBytes).to.equal(4)
    expect(await again.listParts({ bucket: 'documents', key: 'b', uploadId })).to.deep.equal([])
  })

  it('keeps everything to its owner', async () => {
    await store.put('documents', 'a', streamOf(Buffer.from('kept')))
    await store.createMultipart('documents', 'b')
    const others = 0o077
    for (const name of ['', ...(await readdir(folder, { recursive: true }))]) {
      expect((await stat(join(folder, name))).mode & others, name).to.equal(0)
    }
  })

  it('sweeps what dead processes were writing, and what nobody has written to for a day', async () => {
    const abandoned = ['41~a', 'nobody~b', 'written by an earlier version']
    const alive = ['42~a', 'nobody~c']
    const incoming = join(folder, 'incoming')
    for (const name of [...abandoned, ...alive]) await writeFile(join(incoming, name), 'x')
    await mkdir(join(incoming, '41~folder'))
    const yesterday = new Date(Date.now() - 25 * 60 * 60 * 1000)
    for (const name of abandoned.slice(1)) {
      await utimes(join(incoming, name), yesterday, yesterday)
    }
    await store.sweepIncoming(async (processIds) => {
      expect([...processIds].toSorted()).to.deep.equal([41, 42])
      return new Set([41])
    })
    expect((await readdir(incoming)).toSorted()).to.deep.equal(alive.toSorted())
  })

  it('names the process that writes a file, while it is written', async () => {
    const numbered = await openLocalStore({
      folder,
      bucket: 'documents',
      links,
      processId: () => 7,
    })
    async function* source() {
      yield Buffer.from('half')
      expect((await readdir(join(folder, 'incoming')))[0]).to.match(/^7~/)
    }
    await numbered.put('documents', 'a', Readable.from(source(), { objectMode: false }))
    expect(await readdir(join(folder, 'incoming'))).to.deep.equal([])
  })

  it('has a file with the bytes of each object for readers that need one', async () => {
    await store.put('documents', 'a/b', streamOf(Buffer.from('bytes')))
    const path = store.localPath('documents', 'a/b')
    expect(await readFile(path ?? '', 'utf8')).to.equal('bytes')
  })

  it('shows nothing of an object before it is whole', async () => {
    async function* source() {
      yield Buffer.from('half')
      const error = (await failure(store.head('documents', 'a'))) as StorageError
      expect(error.kind).to.equal('not-found')
      yield Buffer.from('whole')
    }
    await store.put('documents', 'a', Readable.from(source(), { objectMode: false }))
    expect((await store.head('documents', 'a')).sizeBytes).to.equal(9)
  })

  it('fails a ping, and names no path, when its folder is gone', async () => {
    await rm(folder, { recursive: true })
    for (const work of [store.ping(), store.put('documents', 'a', streamOf(Buffer.from('x')))]) {
      const error = (await failure(work)) as StorageError
      expect(error.name).to.equal('StorageError')
      expect(error.message).to.not.include(folder)
    }
  })

  it('says which keys could not be deleted', async () => {
    await mkdir(store.localPath('documents', 'stuck') ?? '', { recursive: true })
    await store.put('documents', 'a', streamOf(Buffer.from('x')))
    const outcomes = await store.deleteMany('documents', ['stuck', 'a', 'none'])
    expect(outcomes.map(({ outcome }) => outcome)).to.deep.equal([
      'failed',
      'deleted',
      'absent-counts-as-deleted',
    ])
    expect(JSON.stringify(outcomes)).to.not.include(folder)
  })

  it('takes no number of an upload for a path', async () => {
    const upload = { bucket: 'documents', key: 'b', uploadId: '../../x' }
    await expectKind(store.listParts(upload), 'not-found')
  })

  describe('serving an object', () => {
    const link = { bucket: 'documents', key: 'a', filename: 'a.html', contentType: 'text/html' }
    beforeEach(() => store.put('documents', 'a', streamOf(Buffer.from('0123456789'))))

    it('sends headers that keep a stored page from running and from being compressed', async () => {
      const { headers, stream } = await serveObject(store, link, { headers: {} })
      stream?.destroy()
      expect(headers['X-Content-Type-Options']).to.equal('nosniff')
      expect(headers['Content-Security-Policy']).to.include('sandbox')
      expect(headers['Cache-Control']).to.include('no-transform')
    })

    it('sends the whole again when it has changed since the client began', async () => {
      const headers = { range: 'bytes=5-', 'if-range': '"of old"' }
      const { status, stream } = await serveObject(store, link, { headers })
      stream?.destroy()
      expect(status).to.equal(200)
    })

    it('answers 304 to a client that has it', async () => {
      const { etag } = await store.head('documents', 'a')
      const headers = { 'if-none-match': etag }
      const answer = await serveObject(store, link, { headers })
      expect([answer.status, answer.stream]).to.deep.equal([304, null])
      expect(answer.headers['Cache-Control']).to.equal('private, no-cache, no-transform')
    })

    it('answers 412 to a client that means another version', async () => {
      const { etag } = await store.head('documents', 'a')
      const statusOf = async (ifMatch: string) => {
        const headers = { 'if-match': ifMatch, 'if-none-match': '"another"' }
        const { status, stream } = await serveObject(store, link, { headers })
        stream?.destroy()
        return status
      }
      expect(await statusOf(`"of old", ${etag}`)).to.equal(200)
      expect(await statusOf('*')).to.equal(200)
      expect(await statusOf('"of old"')).to.equal(412)
      expect(await statusOf(`W/${etag}`)).to.equal(412)
    })

    it('answers 416 with the size past the end', async () => {
      const headers = { range: 'bytes=10-' }
      const answer = await serveObject(store, link, { headers })
      expect(answer.status).to.equal(416)
      expect(answer.headers['Content-Range']).to.equal('bytes */10')
    })
  })
})
