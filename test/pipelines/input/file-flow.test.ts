import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect } from 'chai'

import { openSource } from '../../../pipelines/input/flows/open-bytes.ts'
import { useFolder } from '../../support/folder.ts'

const BYTES = Buffer.alloc(3_000_001, 'what a file is full of; ')

describe('A local file as a flow', () => {
  const folder = useFolder('file-flow', 'for each')
  let path: string
  beforeEach(async () => {
    path = join(folder.path, 'input')
    await writeFile(path, BYTES)
  })

  const open = (signal = new AbortController().signal) =>
    openSource({ kind: 'bytes', path, open: () => Promise.reject(new Error('not asked')) }, signal)

  async function read(releases: boolean) {
    const opened = await open()
    const copies = [opened.head]
    const memories = new Set<ArrayBufferLike>()
    const flow = opened.rest()
    for (let chunk = await flow.next(); chunk !== null; chunk = await flow.next()) {
      copies.push(Buffer.from(chunk))
      memories.add(chunk.buffer)
      // In two parts, as a reader may come to hold them.
      if (releases) flow.release?.(chunk.subarray(10))
      if (releases) flow.release?.(chunk)
    }
    expect(opened.bytesRead).to.equal(BYTES.length)
    await opened.close()
    await opened.close()
    return { same: Buffer.concat(copies).equals(BYTES), memories: memories.size }
  }

  it('reads into memory that was released', async () => {
    const { same, memories } = await read(true)
    expect(same).to.equal(true)
    expect(memories).to.be.at.most(3)
  })

  it('does not write over chunks that were not released', async () => {
    const { same, memories } = await read(false)
    expect(same).to.equal(true)
    expect(memories).to.equal(12)
  })

  it('can be closed while it reads, which has its bytes all the same', async () => {
    // Whether the descriptor is gone before it is read is decided by the threads that do so.
    for (let turn = 0; turn < 500; turn++) {
      const opened = await open()
      const pending = opened.rest().next()
      await opened.close()
      expect(await pending).to.have.property('length')
    }
  })

  it('stops when it is aborted', async () => {
    const abort = new AbortController()
    const opened = await open(abort.signal)
    const flow = opened.rest()
    await flow.next()
    await opened.close()
    abort.abort(new Error('enough'))
    const refused = await flow.next().catch((error: Error) => error)
    expect(refused).to.have.property('message', 'enough')
  })
})
