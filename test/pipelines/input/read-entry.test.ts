import { open } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

import { expect } from 'chai'

import { DEFAULT_LIMITS } from '../../../pipelines/index.ts'
import { openZip } from '../../../pipelines/input/archive/open-zip.ts'
import { ZIP_WORDING } from '../../../pipelines/input/archive/wording.ts'
import { failure } from '../../contracts/reader.ts'
import { zip } from '../../support/workbooks/zip-writer.ts'
import { useFolder } from '../../support/folder.ts'

const openFd = promisify(open)

describe('an entry of an archive', () => {
  const folder = useFolder('entries')

  async function openFirst(bytes: Buffer) {
    const path = join(folder.path, 'archive.zip')
    await writeFile(path, bytes)
    const archive = await openZip(await openFd(path, 'r'), {
      limits: DEFAULT_LIMITS,
      signal: new AbortController().signal,
      wording: ZIP_WORDING,
    })
    return { archive, flow: await archive.entries[0]!.open() }
  }

  // It begins to inflate by itself: what breaks then has nobody yet to tell it to.
  it('gives its first reader the error of what broke before it was read', async () => {
    const deflated = Buffer.alloc(5_000, 0xff)
    const { archive, flow } = await openFirst(zip([{ name: 'a.csv', content: 'x', deflated }]))
    await sleep(50)
    const error = await failure(flow.next())
    expect(error).to.have.property('message').that.includes('cannot be inflated')
    await flow.close()
    archive.close()
  })

  it('raises no unhandled error when it breaks after it was closed', async () => {
    const deflated = Buffer.alloc(5_000, 0xff)
    const { archive, flow } = await openFirst(zip([{ name: 'a.csv', content: 'x', deflated }]))
    await flow.close()
    archive.close()
    await sleep(50)
  })
})
