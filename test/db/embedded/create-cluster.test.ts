import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect } from 'chai'

import { createCluster } from '../../../src/db/embedded/create-cluster.ts'
import { useFolder } from '../../support/folder.ts'

describe('a cluster that cannot be created', () => {
  const folder = useFolder('cluster', 'for each')

  async function refusalOf(complaint: string): Promise<string> {
    const initdb = join(folder.path, 'initdb')
    await writeFile(initdb, `#!/bin/sh\necho "${complaint}" >&2\nexit 1\n`)
    await chmod(initdb, 0o755)
    const binaries = { initdb, postgres: initdb }
    const cluster = {
      binaries,
      account: undefined,
      data: folder.path,
      password: 'p',
      ephemeral: true,
    }
    return createCluster(cluster).then(
      () => 'it was created',
      ({ message }: Error) => message,
    )
  }

  it('says what to do where the user has no name', async () => {
    const message = await refusalOf(
      'initdb: could not look up effective user ID 12345: user does not exist',
    )
    expect(message).to.contain('/etc/passwd').and.to.contain('DATABASE_URL')
  })

  it('passes on whatever else PostgreSQL says', async () => {
    expect(await refusalOf('initdb: no space left')).to.equal(
      'The embedded database could not be created: initdb: no space left',
    )
  })
})
