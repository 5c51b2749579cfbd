import { findActor } from '../../src/domain/auth/find-actor.ts'
import { createFolderReading } from '../../src/domain/folders/read-folders.ts'
import { serveBare } from '../support/serve-bare.ts'

const { signal } = new AbortController()

// The questions to the tree, who asks among them.
serveBare((pool, user) => {
  const folders = createFolderReading({ pool, lookups: pool })
  return async ({ path, query }) => {
    const actor = await findActor(pool, user)
    const [, , uuid = '', part] = path.split('/')
    if (part === 'children') return folders.children(actor!, uuid, { page: 1, limit: 7 }, signal)
    if (part === 'breadcrumb') return folders.breadcrumb(actor!, uuid)
    const { search, parent } = query as { search?: string; parent?: 'all' }
    const found = search === undefined ? {} : { search }
    return folders.list(actor!, { page: 1, limit: 7, parent: parent ?? 'root', ...found }, signal)
  }
})
