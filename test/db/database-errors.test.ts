import { expect } from 'chai'
import { Client, type Pool } from 'pg'

import {
  DatabaseBusyError,
  DatabaseFullError,
  DatabaseUnavailableError,
  ForeignKeyViolationError,
  TransactionConflictError,
  translateDatabaseError,
  UniqueViolationError,
} from '../../src/db/database-errors.ts'
import { createPool } from '../../src/db/pool.ts'
import { useDatabase } from '../support/database.ts'

describe('translateDatabaseError', () => {
  const database = useDatabase()

  before(async () => {
    await database.pool.query('create table parents (name text constraint one_name unique)')
    await database.pool.query(
      'create table children (parent text constraint has_parent references parents (name))',
    )
  })

  it('names the constraint of a value that is there already', async () => {
    await database.pool.query("insert into parents values ('a')")
    const cause = await failure(database.pool.query("insert into parents values ('a')"))
    const error = translateDatabaseError(cause)
    expect(error).to.be.instanceOf(UniqueViolationError)
    expect(error).to.include({ constraint: 'one_name', cause })
  })

  it('reads the errors of Knex as those of pg', async () => {
    const cause = await failure(database.knex('children').insert({ parent: 'nobody' }))
    const error = translateDatabaseError(cause)
    expect(error).to.be.instanceOf(ForeignKeyViolationError)
    expect(error).to.include({ constraint: 'has_parent' })
  })

  it('finds the database’s error below the errors that wrap it', async () => {
    const cause = await failure(database.pool.query("insert into parents values ('a')"))
    const wrapped = new Error('the load failed', { cause: new Error('copy failed', { cause }) })
    const error = translateDatabaseError(wrapped)
    expect(error).to.be.instanceOf(UniqueViolationError)
    expect(error).to.include({ cause: wrapped })
  })

  it('calls a connection that was cut while a query ran unavailable', async () => {
    const client = new Client(database.url)
    client.on('error', () => undefined)
    await client.connect()
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    const running = failure(client.query('select pg_sleep(30)'))
    await database.pool.query('select pg_terminate_backend($1)', [rows[0]?.pid])
    expect(translateDatabaseError(await running)).to.be.instanceOf(DatabaseUnavailableError)
    const afterwards = await failure(client.query('select 1'))
    expect(translateDatabaseError(afterwards)).to.be.instanceOf(DatabaseUnavailableError)
  })

  it('sees a connection that was cut behind the statement that Knex puts before it', async () => {
    const cut = new Error('Connection terminated unexpectedly')
    const connection = { query: (_: unknown, done: (error: Error) => void) => done(cut) }
    const error = await failure(
      Promise.resolve(database.knex.select('name').from('parents').connection(connection)),
    )
    expect(error.message).to.match(/^select "name" .* - Connection terminated unexpectedly$/)
    expect(translateDatabaseError(error)).to.be.instanceOf(DatabaseUnavailableError)
  })

  it('calls a server that refuses connections unavailable', async () => {
    const cause = await failure(new Client('postgres://a:b@127.0.0.1:1/c').connect())
    expect(translateDatabaseError(cause)).to.be.instanceOf(DatabaseUnavailableError)
  })

  it('calls a pool without a free connection busy', async () => {
    const pool = createPool(database.url, { max: 1, acquireTimeoutMs: 1000 })
    await withClient(pool, async () => {
      const cause = await failure(pool.query('select 1'))
      expect(translateDatabaseError(cause)).to.be.instanceOf(DatabaseBusyError)
    })
    await pool.end()
  })

  const codes = [
    ['08006', DatabaseUnavailableError],
    ['57P01', DatabaseUnavailableError],
    ['57P03', DatabaseUnavailableError],
    ['53300', DatabaseBusyError],
    ['53100', DatabaseFullError],
    ['40001', TransactionConflictError],
    ['40P01', TransactionConflictError],
  ] as const
  for (const [code, expected] of codes) {
    it(`reads ${code} as ${expected.name}`, () => {
      const cause = Object.assign(new Error('from the server'), { code })
      expect(translateDatabaseError(cause)).to.be.instanceOf(expected).and.include({ cause })
    })
  }

  it('does not take a violation of the protocol for a database that is away', () => {
    const mistake = Object.assign(new Error('bind message supplies 1 parameters'), {
      code: '08P01',
    })
    expect(translateDatabaseError(mistake)).to.equal(mistake)
  })

  it('leaves every other error as it is', () => {
    for (const error of [
      new Error('mine'),
      Object.assign(new Error('x'), { code: '42P01' }),
      Object.assign(new Error('x'), { code: 'toString' }),
      'text',
      null,
    ]) {
      expect(translateDatabaseError(error)).to.equal(error)
    }
  })

  it('gives back what it translated before', () => {
    const translated = translateDatabaseError(Object.assign(new Error('x'), { code: '53100' }))
    expect(translateDatabaseError(translated)).to.equal(translated)
  })

  it('ends on an error that is its own cause', () => {
    const error = new Error('round')
    error.cause = error
    expect(translateDatabaseError(error)).to.equal(error)
  })
})

async function failure(promise: PromiseLike<unknown>): Promise<Error> {
  try {
    await promise
  } catch (error) {
    return error as Error
  }
  throw new Error('It was expected to fail')
}

async function withClient(pool: Pool, use: () => Promise<void>): Promise<void> {
  const client = await pool.connect()
  try {
    await use()
  } finally {
    client.release()
  }
}
