import type { AddressInfo } from 'node:net'

import Koa from 'koa'

import { createPool } from '../../../src/db/pool.ts'
import { findActor } from '../../../src/domain/auth/find-actor.ts'

// The least that lists somebody's documents: Koa, pg, who asks, how many there are, and a page.
// As many connections as the service opens by default: fewer keep two cores less busy with switching.
const pool = createPool(process.env['BENCH_DATABASE_URL']!, { max: 20 })
const user = process.env['BENCH_USER']!

const FOUND = `
  from documents d join users_documents u on u.document_id = d.id
  where u.user_id = $1 and ($2::text is null or search_fold(original_name) like search_pattern($2))`
const COUNT = { name: 'count', text: `select count(*) as total ${FOUND}` }
const PAGE = {
  name: 'page',
  text: `select d.*, (select uuid from folders where id = d.folder_id) as folder_uuid ${FOUND}
         order by d.id desc limit 6`,
}

const app = new Koa()
app.use(async (context) => {
  const actor = await findActor(pool, user)
  const values = [actor!.id, context.query['search'] ?? null]
  const [counted, page] = await Promise.all([
    pool.query<{ total: number }>({ ...COUNT, values }),
    pool.query({ ...PAGE, values }),
  ])
  context.body = { items: page.rows, total: counted.rows[0]!.total }
})
const server = app.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  process.stdout.write(`Listening on http://127.0.0.1:${port}\n`)
})
