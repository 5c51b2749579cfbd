import { mkdir, readFile, readlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect } from 'chai'

import type { Account } from '../../../src/db/embedded/account.ts'
import { prepareBinaries } from '../../../src/db/embedded/binaries.ts'
import { useFolder } from '../../support/folder.ts'

/** Somebody whom no folder here belongs to. */
const STRANGER: Account = { uid: 65_534, gid: 65_534 }

describe('the binaries of the embedded PostgreSQL', () => {
  const root = useFolder('binaries', 'for each')

  it('are used where they are, with the library links that the package only lists', async () => {
    const installed = await installFake(join(root.path, 'package'))
    const { postgres } = await prepareBinaries(undefined, join(root.path, 'copy'), installed)
    expect(postgres).to.equal(join(installed.folder, 'native', 'bin', 'postgres'))
    const link = join(installed.folder, 'native', 'lib', 'libfoo.so.1')
    expect(await readlink(link)).to.equal('libfoo.so.1.2')
  })

  it('are linked once: a second start finds the links there', async () => {
    const installed = await installFake(join(root.path, 'package'))
    await prepareBinaries(undefined, join(root.path, 'copy'), installed)
    await prepareBinaries(undefined, join(root.path, 'copy'), installed)
    const link = join(installed.folder, 'native', 'lib', 'libfoo.so.1')
    expect(await readFile(link, 'utf8')).to.equal('library')
  })

  it('are copied to where the account can reach them', async () => {
    await mkdir(join(root.path, 'private'), { mode: 0o700 })
    const installed = await installFake(join(root.path, 'private', 'package'))
    const { postgres } = await prepareBinaries(STRANGER, join(root.path, 'copy'), installed)
    expect(postgres).to.equal(
      join(root.path, 'copy', 'postgresql-1.0.0', 'native', 'bin', 'postgres'),
    )
    expect(await readFile(postgres, 'utf8')).to.equal('program')
    const link = join(root.path, 'copy', 'postgresql-1.0.0', 'native', 'lib', 'libfoo.so.1')
    expect(await readFile(link, 'utf8')).to.equal('library')
  })

  it('are copied once, by two starts at the same instant', async () => {
    await mkdir(join(root.path, 'private'), { mode: 0o700 })
    const installed = await installFake(join(root.path, 'private', 'package'))
    const both = await Promise.all([
      prepareBinaries(STRANGER, join(root.path, 'copy'), installed),
      prepareBinaries(STRANGER, join(root.path, 'copy'), installed),
    ])
    expect(both[0]).to.deep.equal(both[1])
    expect(await readFile(both[0].postgres, 'utf8')).to.equal('program')
  })
})

async function installFake(folder: string): Promise<{ folder: string; version: string }> {
  const native = join(folder, 'native')
  await mkdir(join(native, 'bin'), { recursive: true })
  await mkdir(join(native, 'lib'))
  await writeFile(join(native, 'bin', 'postgres'), 'program', { mode: 0o755 })
  await writeFile(join(native, 'lib', 'libfoo.so.1.2'), 'library')
  const links = [{ source: 'native/lib/libfoo.so.1.2', target: 'native/lib/libfoo.so.1' }]
  await writeFile(join(native, 'pg-symlinks.json'), JSON.stringify(links))
  return { folder, version: '1.0.0' }
}
