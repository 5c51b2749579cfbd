import type { AddressInfo } from 'node:net'

import Koa from 'koa'

import { createPool } from '../../../src/db/pool.ts'
import { findActor } from '../../../src/domain/auth/find-actor.ts'
import { listDocuments } from '../../../src/domain/documents/list-documents.ts'

// The least that lists somebody's documents: Koa, pg, who asks, and the same statement.
// As many connections as the service opens by default: fewer keep two cores less busy with switching.
const pool = createPool(process.env['BENCH_DATABASE_URL']!, { max: 20 })
const user = process.env['BENCH_USER']!

const app = new Koa()
app.use(async (context) => {
  const actor = await findActor(pool, user)
  const { search } = context.query as { search?: string }
  const found = search === undefined ? {} : { search }
  context.body = await listDocuments(pool, actor!, { page: 1, limit: 6, ...found })
})
const server = app.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  process.stdout.write(`Listening on http://127.0.0.1:${port}\n`)
})
