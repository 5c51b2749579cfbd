import type { AddressInfo } from 'node:net'

import Koa from 'koa'

import { createPool } from '../../src/db/pool.ts'
import { findActor } from '../../src/domain/auth/find-actor.ts'
import { createFolderReading } from '../../src/domain/folders/read-folders.ts'

// The least that answers the same questions: Koa, pg and the same statements, in the same order.
// As many connections as the service opens by default: fewer keep two cores less busy with switching.
const pool = createPool(process.env['BENCH_DATABASE_URL']!, { max: 20 })
const user = process.env['BENCH_USER']!
const folders = createFolderReading(pool)

const app = new Koa()
app.use(async (context) => {
  const actor = await findActor(pool, user)
  const [, , uuid = '', part] = context.path.split('/')
  const { search, parent } = context.query as { search?: string; parent?: 'all' }
  if (part === 'children') {
    context.body = await folders.children(actor!, uuid, { page: 1, limit: 7 })
  } else if (part === 'breadcrumb') {
    context.body = await folders.breadcrumb(actor!, uuid)
  } else {
    const found = search === undefined ? {} : { search }
    context.body = await folders.list({ page: 1, limit: 7, parent: parent ?? 'root', ...found })
  }
})
const server = app.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  process.stdout.write(`Listening on http://127.0.0.1:${port}\n`)
})
