import { expect } from 'chai'

import { MaybeCommittedError } from '../../src/db/database-errors.ts'
import { createPool } from '../../src/db/pool.ts'
import { withTransaction } from '../../src/db/transaction.ts'
import { toProblem } from '../../src/errors/to-problem.ts'
import { useDatabase } from '../support/database.ts'
import { startTcpProxy } from '../support/tcp-proxy.ts'

describe('a transaction whose connection is lost', () => {
  const database = useDatabase()

  async function lose(pattern: RegExp): Promise<unknown> {
    await using opened = new AsyncDisposableStack()
    const proxy = opened.use(await startTcpProxy(database.url))
    const pool = opened.adopt(createPool(proxy.through(database.url), { max: 1 }), (open) =>
      open.end(),
    )
    proxy.cutWhenSent(pattern, { when: 'after' })
    return withTransaction(pool, (client) => client.query('create table public.lost ()')).catch(
      (error: unknown) => error,
    )
  }

  it('may have made its change when the connection is lost at the commit', async () => {
    const lost = await lose(/\bcommit\b/)
    expect(lost).to.be.instanceOf(MaybeCommittedError)
    expect(toProblem(lost).message).to.match(/check whether it was made/)
    await database.pool.query('drop table lost')
  })

  it('has changed nothing when it is lost earlier', async () => {
    const lost = await lose(/create table/)
    expect(lost).not.to.be.instanceOf(MaybeCommittedError)
    expect(toProblem(lost).message).to.equal('The database does not answer')
    const { rows } = await database.pool.query(`select to_regclass('lost') as lost`)
    expect(rows).to.deep.equal([{ lost: null }])
  })
})
