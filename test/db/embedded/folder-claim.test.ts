import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect } from 'chai'

import { FolderBusyError } from '../../../src/db/embedded/errors.ts'
import { claimFolder, folderOwner } from '../../../src/db/embedded/folder-claim.ts'
import { processStart } from '../../../src/db/embedded/process-identity.ts'

describe('the claim on a data folder', () => {
  let folder = ''

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'claim-'))
  })

  afterEach(() => rm(folder, { recursive: true, force: true }))

  it('holds until it is released', async () => {
    const release = await claimFolder(folder)
    expect(await folderOwner(folder)).to.equal(process.pid)
    await release()
    expect(await folderOwner(folder)).to.equal(undefined)
    expect(await readdir(folder)).to.deep.equal([])
  })

  it('is refused a second time to the same process', async () => {
    const release = await claimFolder(folder)
    expect(await claimFolder(folder).catch((error: unknown) => error)).to.be.instanceOf(
      FolderBusyError,
    )
    await release()
    await (
      await claimFolder(folder)
    )()
  })

  it('is refused while a living process holds another, which stays', async () => {
    const theirs = `owner-${process.ppid}-${await processStart(process.ppid)}`
    await writeFile(join(folder, theirs), '')
    const refused = await claimFolder(folder).catch((error: unknown) => error)
    expect((refused as FolderBusyError).ownerPid).to.equal(process.ppid)
    expect(await readdir(folder)).to.deep.equal([theirs])
  })

  it('removes the claims of processes that ended, and nothing else', async () => {
    await writeFile(join(folder, 'owner-999999999-1.2'), '')
    await writeFile(join(folder, `owner-${process.ppid}-an.earlier.life`), '')
    await writeFile(join(folder, 'owner-notes.txt'), '')
    const release = await claimFolder(folder)
    expect((await readdir(folder)).filter((name) => name.includes('earlier'))).to.deep.equal([])
    expect(await readdir(folder))
      .to.have.length(2)
      .and.include('owner-notes.txt')
    await release()
  })
})
