import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect } from 'chai'

import { FolderError, openFolder } from '../src/folders.ts'

describe('a folder that the service writes to', () => {
  let parent: string
  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'folders-'))
  })
  afterEach(() => rm(parent, { recursive: true, force: true }))

  it('is made where it is missing, and left empty', async () => {
    const path = join(parent, 'a', 'b')
    expect(await openFolder(path, 'DATA_DIR')).to.equal(path)
    expect(await readdir(path)).to.deep.equal([])
  })

  it('is told in a sentence where it cannot be written to, with the setting to change', async () => {
    const file = join(parent, 'file')
    await writeFile(file, '')
    for (const path of [file, join(file, 'below')]) {
      const error = await openFolder(path, 'TMPDIR').catch((refused: unknown) => refused)
      expect(error).to.be.instanceOf(FolderError)
      expect((error as Error).message)
        .to.include(`The folder ${path} cannot be written to`)
        .and.include('it is not a folder. Set TMPDIR to another folder')
    }
  })
})
