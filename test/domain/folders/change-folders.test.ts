import { expect } from 'chai'

import { createFolders } from '../../../src/domain/folders/create-folders.ts'
import { lockForDeletion, unlockAfterDeletion } from '../../../src/domain/folders/tree-lock.ts'
import { FolderBeingDeletedException } from '../../../src/errors/index.ts'
import { useDatabase } from '../../support/database.ts'
import { createFactories } from '../../support/factories.ts'

describe('changes of a tree', () => {
  const database = useDatabase()
  const build = createFactories(() => database.pool)

  it('are refused while it is deleted permanently, a new name included', async () => {
    const folders = createFolders({
      pool: database.pool,
      knex: database.knex,
      lookups: database.pool,
    })
    const actor = await build.user({ role: 'super-admin' })
    const root = await build.folder()
    const child = await build.folder({ parent: root })
    const client = await database.pool.connect()
    try {
      await lockForDeletion(client, root.id)
      const attempts = [
        () => folders.rename(actor, root.uuid, 'Autre'),
        () => folders.createChild(actor, { name: 'Neuf', parentUuid: child.uuid }),
        () => folders.move(actor, child.uuid, root.uuid),
        () => folders.remove(actor, child.uuid),
        () => folders.restore(actor, child.uuid),
      ]
      for (const attempt of attempts) {
        const refusal = await attempt().then(
          () => null,
          (error: unknown) => error,
        )
        expect(refusal, String(attempt)).to.be.instanceOf(FolderBeingDeletedException)
      }
      await unlockAfterDeletion(client, root.id)
    } finally {
      client.release()
    }
    expect((await folders.rename(actor, root.uuid, 'Autre')).name).to.equal('Autre')
  })
})
