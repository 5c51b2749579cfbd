import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect } from 'chai'

import { FolderBusyError } from '../../../src/db/embedded/errors.ts'
import { claimFolder, folderOwner } from '../../../src/db/embedded/folder-claim.ts'
import { processStart } from '../../../src/db/embedded/process-identity.ts'
import { useFolder } from '../../support/folder.ts'

describe('the claim on a data folder', () => {
  const folder = useFolder('claim', 'for each')

  it('holds until it is released', async () => {
    const release = await claimFolder(folder.path)
    expect(await folderOwner(folder.path)).to.equal(process.pid)
    await release()
    expect(await folderOwner(folder.path)).to.equal(undefined)
    expect(await readdir(folder.path)).to.deep.equal([])
  })

  it('is refused a second time to the same process', async () => {
    const release = await claimFolder(folder.path)
    expect(await claimFolder(folder.path).catch((error: unknown) => error)).to.be.instanceOf(
      FolderBusyError,
    )
    await release()
    await (
      await claimFolder(folder.path)
    )()
  })

  it('is refused while a living process holds another, which stays', async () => {
    const theirs = `owner-${process.ppid}-${await processStart(process.ppid)}`
    await writeFile(join(folder.path, theirs), '')
    const refused = await claimFolder(folder.path).catch((error: unknown) => error)
    expect((refused as FolderBusyError).ownerPid).to.equal(process.ppid)
    expect(await readdir(folder.path)).to.deep.equal([theirs])
  })

  it('removes the claims of processes that ended, and nothing else', async () => {
    await writeFile(join(folder.path, 'owner-999999999-1.2'), '')
    await writeFile(join(folder.path, `owner-${process.ppid}-an.earlier.life`), '')
    await writeFile(join(folder.path, 'owner-notes.txt'), '')
    const release = await claimFolder(folder.path)
    expect((await readdir(folder.path)).filter((name) => name.includes('earlier'))).to.deep.equal(
      [],
    )
    expect(await readdir(folder.path))
      .to.have.length(2)
      .and.include('owner-notes.txt')
    await release()
  })
})
