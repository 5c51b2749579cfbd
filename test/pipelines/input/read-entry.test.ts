import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { inflateRaw } from 'node:zlib'

import { expect } from 'chai'
import { fromBufferPromise } from 'yauzl'

import { DEFAULT_LIMITS } from '../../../pipelines/index.ts'
import { readEntry } from '../../../pipelines/input/archive/read-entry.ts'
import { ZIP_WORDING } from '../../../pipelines/input/archive/wording.ts'
import { failure } from '../../contracts/reader.ts'
import { zip } from '../../support/workbooks/zip-writer.ts'

/** What begins with a block of a type that does not exist. */
const BROKEN = Buffer.alloc(5_000, 0xff)

describe('an entry of an archive', () => {
  /** The flow of an entry that cannot be inflated, and the stream of the archive that it comes from. */
  async function openBroken() {
    const bytes = zip([{ name: 'a.csv', content: 'x', deflated: BROKEN }])
    const archive = await fromBufferPromise(bytes, { lazyEntries: true })
    const { value: entry } = await archive.eachEntry().next()
    const streams: Readable[] = []
    const openReadStream = archive.openReadStreamPromise.bind(archive)
    archive.openReadStreamPromise = async (...asked) => {
      const stream = await openReadStream(...asked)
      streams.push(stream)
      return stream
    }
    const flow = await readEntry(archive, entry, DEFAULT_LIMITS, ZIP_WORDING)
    return { flow, compressed: streams[0]! }
  }

  // It begins to inflate by itself: what breaks then has nobody yet to tell it to.
  it('gives its first reader the error of what broke before it was read', async () => {
    const { flow, compressed } = await openBroken()
    // It is closed because of the error.
    if (!compressed.closed) await once(compressed, 'close')
    const error = await failure(flow.next())
    expect(error).to.have.property('message').that.includes('cannot be inflated')
    await flow.close()
  })

  it('raises no unhandled error when it breaks after it was closed', async () => {
    const { flow, compressed } = await openBroken()
    await flow.close()
    if (!compressed.closed) await once(compressed, 'close')
    // Inflated after it, and so told of after it.
    await failure(promisify(inflateRaw)(BROKEN))
  })
})
