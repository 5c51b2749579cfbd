import type { AddressInfo } from 'node:net'

import Koa, { type Context } from 'koa'
import type { Pool } from 'pg'

import { readConfig } from '../../src/config/config.ts'
import { createPool } from '../../src/db/pool.ts'

/**
 * The least that answers what the service answers: Koa, pg and the same statements. It has as many
 * connections as the service opens by default, since fewer keep two cores less busy with switching.
 */
export function serveBare(
  prepare: (pool: Pool, user: string) => (context: Context) => Promise<unknown>,
): void {
  const { databasePool } = readConfig({})
  const pool = createPool(process.env['BENCH_DATABASE_URL']!, { max: databasePool })
  const answer = prepare(pool, process.env['BENCH_USER']!)
  const app = new Koa()
  app.use(async (context) => {
    context.body = await answer(context)
  })
  const server = app.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo
    process.stdout.write(`Listening on http://127.0.0.1:${port}\n`)
  })
}
