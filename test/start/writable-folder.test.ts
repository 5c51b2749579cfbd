import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect } from 'chai'

import { FolderError, openFolder } from '../../src/start/writable-folder.ts'
import { useFolder } from '../support/folder.ts'

describe('a folder that the service writes to', () => {
  const parent = useFolder('folders', 'for each')

  it('is made where it is missing, and left empty', async () => {
    const path = join(parent.path, 'a', 'b')
    expect(await openFolder(path, 'DATA_DIR')).to.equal(path)
    expect(await readdir(path)).to.deep.equal([])
  })

  it('is told in a sentence where it cannot be written to, with the setting to change', async () => {
    const file = join(parent.path, 'file')
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
