import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

import { makeFolder } from '../../support/folder.ts'
import { createLocalLinks } from '../../../src/storage/local/local-links.ts'
import { openLocalStore } from '../../../src/storage/local/open-local-store.ts'
import { describeObjectStore } from '../../contracts/object-store.ts'
import { startStorageServer } from './storage-server.ts'

describeObjectStore('local folder', async () => {
  const folder = await makeFolder('local-store')
  const server = await startStorageServer()
  const links = createLocalLinks({ secret: 'for tests', publicBaseUrl: () => `${server.address}/` })
  const store = await openLocalStore({ folder, bucket: 'documents', links })
  server.serve(store, links)
  return {
    store,
    buckets: ['documents', 'archive'],
    remnants: () => readdir(join(folder, 'incoming')),
    async close() {
      await store.close()
      await server.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
})
