import type { AddressInfo } from 'node:net'

import Koa from 'koa'

import { createPool } from '../../src/db/pool.ts'
import { findActor } from '../../src/domain/auth/find-actor.ts'

// The least that answers the same question: Koa, pg and the query of GET /auth/me.
// As many connections as the service opens by default: fewer keep two cores less busy with switching.
const pool = createPool(process.env['BENCH_DATABASE_URL']!, { max: 20 })
const uuid = process.env['BENCH_USER']!

const app = new Koa()
app.use(async (context) => {
  context.body = await findActor(pool, uuid)
})
const server = app.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  process.stdout.write(`Listening on http://127.0.0.1:${port}\n`)
})
