import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect } from 'chai'

import { openFile } from '../../../pipelines/input/file-flow.ts'

const BYTES = Buffer.alloc(3_000_001, 'what a file is full of; ')

describe('A local file as a flow', () => {
  let folder: string
  let path: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'file-flow-'))
    path = join(folder, 'input')
    await writeFile(path, BYTES)
  })
  afterEach(() => rm(folder, { recursive: true }))

  async function read(releases: boolean) {
    const flow = await openFile(path, new AbortController().signal)
    const copies: Buffer[] = []
    const memories = new Set<ArrayBufferLike>()
    for (let chunk = await flow.next(); chunk !== null; chunk = await flow.next()) {
      copies.push(Buffer.from(chunk))
      memories.add(chunk.buffer)
      // In two parts, as a reader may come to hold them.
      if (releases) flow.release?.(chunk.subarray(10))
      if (releases) flow.release?.(chunk)
    }
    await flow.close()
    await flow.close()
    expect(flow.bytesRead).to.equal(BYTES.length)
    return { same: Buffer.concat(copies).equals(BYTES), memories: memories.size }
  }

  it('reads into memory that came back', async () => {
    const { same, memories } = await read(true)
    expect(same).to.equal(true)
    expect(memories).to.be.at.most(3)
  })

  it('leaves alone what somebody keeps', async () => {
    const { same, memories } = await read(false)
    expect(same).to.equal(true)
    expect(memories).to.equal(12)
  })

  it('stops when it is aborted, and can be closed while it reads', async () => {
    const abort = new AbortController()
    const flow = await openFile(path, abort.signal)
    const pending = flow.next()
    await flow.close()
    expect(await pending).to.have.property('length')
    abort.abort(new Error('enough'))
    const refused = await flow.next().catch((error: Error) => error)
    expect(refused).to.have.property('message', 'enough')
  })
})
