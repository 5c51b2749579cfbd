import { expect } from 'chai'
import { Client, DatabaseError as PostgresError, type Pool, type PoolClient } from 'pg'

import { DatabaseClient } from '../../src/db/client.ts'
import {
  DatabaseBusyError,
  DatabaseFullError,
  DependentObjectsError,
  DatabaseUnavailableError,
  ForeignKeyViolationError,
  LockTimeoutError,
  MissingTableError,
  NodeUnavailableError,
  TransactionConflictError,
  translateDatabaseError,
  UniqueViolationError,
} from '../../src/db/database-errors.ts'
import { createKnex } from '../../src/db/knex.ts'
import { createPool } from '../../src/db/pool.ts'
import { awayPart } from '../../src/errors/away-part.ts'
import { toProblem } from '../../src/errors/to-problem.ts'
import { StorageError } from '../../src/storage/storage-error.ts'
import { useDatabase } from '../support/database.ts'
import { startStrictPooler } from '../support/strict-pooler.ts'

describe('translateDatabaseError', () => {
  const database = useDatabase()

  before(async () => {
    await database.pool.query('create table public.parents (name text constraint one_name unique)')
    await database.pool.query(
      'create table public.children (parent text constraint has_parent references parents (name))',
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
    const client = new DatabaseClient(database.url)
    client.on('error', () => undefined)
    await client.connect()
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    const running = failure(client.query('select pg_sleep(30)'))
    await database.pool.query('select pg_terminate_backend($1)', [rows[0]?.pid])
    expect(translateDatabaseError(await running)).to.be.instanceOf(DatabaseUnavailableError)
    const afterwards = await failure(client.query('select 1'))
    expect(translateDatabaseError(afterwards)).to.be.instanceOf(DatabaseUnavailableError)
  })

  it('recognises a cut connection behind the statement that Knex puts before it', async () => {
    const cut = new Error('Connection terminated unexpectedly')
    const connection = { query: (_: unknown, done: (error: Error) => void) => done(cut) }
    const error = await failure(
      Promise.resolve(database.knex.select('name').from('parents').connection(connection)),
    )
    expect(error.message).to.match(/^select "name" .* - Connection terminated unexpectedly$/)
    expect(translateDatabaseError(error)).to.be.instanceOf(DatabaseUnavailableError)
  })

  it('calls a server that refuses connections unavailable', async () => {
    const url = 'postgres://a:b@127.0.0.1:1/c'
    const pool = createPool(url, { max: 1 })
    const knex = createKnex(url, { max: 1 })
    const causes = [
      await failure(new DatabaseClient(url).connect()),
      await failure(pool.query('select 1')),
      await failure(knex.select('name').from('parents')),
    ]
    for (const cause of causes) {
      const error = translateDatabaseError(new Error('it failed', { cause }))
      expect(error).to.be.instanceOf(DatabaseUnavailableError)
    }
    await Promise.all([pool.end(), knex.destroy()])
  })

  it('leaves errors of other sockets to their own code', async () => {
    const refused = await failure(new Client('postgres://a:b@127.0.0.1:1/c').connect())
    expect(refused).to.include({ code: 'ECONNREFUSED' })
    for (const error of [refused, new StorageError('unavailable', 'away', { cause: refused })]) {
      expect(translateDatabaseError(error)).to.equal(error)
    }
    const storage = new StorageError('unavailable', 'away', { cause: refused })
    expect(toProblem(storage).message).to.equal('The object storage does not answer')
  })

  it('calls a lock that others held for too long by its name', async () => {
    await withClient(database.pool, async (client) => {
      await client.query('begin; lock table parents')
      const cause = await failure(
        database.pool.query("set lock_timeout = '1ms'; select * from parents"),
      )
      await client.query('rollback')
      expect(translateDatabaseError(cause)).to.be.instanceOf(LockTimeoutError)
    })
    await database.pool.query('reset lock_timeout')
  })

  it('says what depends on something that cannot be dropped', async () => {
    await database.pool.query('create view public.names as select name from parents')
    const error = translateDatabaseError(
      await failure(database.pool.query('drop table children, parents')),
    )
    expect(error).to.be.instanceOf(DependentObjectsError)
    expect((error as DependentObjectsError).dependents).to.include('view names')
  })

  it('tells a table that is not there, in a schema that is not there', async () => {
    for (const name of ['absent', 'absent.parents']) {
      const cause = await failure(database.pool.query(`select from ${name}`))
      expect(translateDatabaseError(cause)).to.be.instanceOf(MissingTableError)
    }
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
      const cause = fromServer(code)
      expect(translateDatabaseError(cause)).to.be.instanceOf(expected).and.include({ cause })
    })
  }

  const ofNodes = [
    ['08006', 'connection to the remote node service@10.0.0.2:5432 failed', ''],
    ['08006', 'could not establish any connections to the node 10.0.0.2:5432 after 30000 ms', ''],
    ['58030', 'failed to COPY to shard 102008 on 10.0.0.2:5432', ''],
    ['XX000', 'server closed the connection unexpectedly', ''],
    ['XX000', 'failure on connection marked as essential: 10.0.0.2:5432', ''],
    ['57P01', 'terminating connection', 'while executing command on 10.0.0.2:5432'],
    ['53300', 'sorry, too many clients already', 'while executing command on 10.0.0.2:5432'],
    [
      '42P01',
      'relation "a_loads.rows_1" does not exist',
      'while executing command on 10.0.0.2:5432',
    ],
  ] as const
  it('tells a node of a cluster that is away, in whatever code', () => {
    for (const [code, message, where] of ofNodes) {
      const cause = Object.assign(fromServer(code), { message, where })
      expect(translateDatabaseError(cause), message).to.be.instanceOf(NodeUnavailableError)
      expect(awayPart(new Error('the load failed', { cause }))).to.equal('cluster')
      const { status, message: told, extras } = toProblem(cause)
      expect({ status, headers: extras.headers }).to.deep.equal({
        status: 503,
        headers: { 'retry-after': '5' },
      })
      expect(told).to.include('node of the database cluster')
    }
    const others = fromServer('XX000')
    expect(translateDatabaseError(others)).to.equal(others)
  })

  it('does not take a violation of the protocol for a database that is away', () => {
    const mistake = Object.assign(fromServer('08P01'), { routine: 'exec_bind_message' })
    expect(translateDatabaseError(mistake)).to.equal(mistake)
  })

  it('takes what a pooler hands on of a login that is refused for a refusal', () => {
    for (const message of [
      'no such database: x',
      'password authentication failed for user "u"',
      'database "x" does not exist',
    ]) {
      const cause = Object.assign(fromServer('08P01'), { message })
      expect(String(translateDatabaseError(cause)), message).to.include('refuses the user')
    }
  })

  it('takes what a pooler says of its server for a database that is away', async () => {
    await using pooler = await startStrictPooler(database.url)
    pooler.sayServerAway(true)
    const pool = createPool(pooler.url, { max: 1, pooled: true })
    try {
      const cause = await failure(pool.query('select 1'))
      expect(cause).to.include({ code: '08P01' })
      expect(translateDatabaseError(cause)).to.be.instanceOf(DatabaseUnavailableError)
      expect(awayPart(cause)).to.equal('database')
      const { status, extras } = toProblem(cause)
      expect({ status, headers: extras.headers }).to.deep.equal({
        status: 503,
        headers: { 'retry-after': '5' },
      })
      pooler.sayServerAway(false)
      expect((await pool.query('select 1 as one')).rows).to.deep.equal([{ one: 1 }])
    } finally {
      await pool.end()
    }
  })

  it('leaves every other error as it is', () => {
    for (const error of [
      new Error('mine'),
      fromServer('42601'),
      fromServer('toString'),
      Object.assign(new Error('x'), { code: '42P01' }),
      'text',
      null,
    ]) {
      expect(translateDatabaseError(error)).to.equal(error)
    }
  })

  it('gives back what it translated before', () => {
    const translated = translateDatabaseError(fromServer('53100'))
    expect(translateDatabaseError(translated)).to.equal(translated)
  })

  it('ends on an error that is its own cause', () => {
    const error = new Error('round')
    error.cause = error
    expect(translateDatabaseError(error)).to.equal(error)
  })
})

/** An error as PostgreSQL sends it. */
function fromServer(code: string): PostgresError {
  return Object.assign(new PostgresError('from the server', 0, 'error'), { code })
}

async function failure(promise: PromiseLike<unknown>): Promise<Error> {
  try {
    await promise
  } catch (error) {
    return error as Error
  }
  throw new Error('It was expected to fail')
}

async function withClient(pool: Pool, use: (client: PoolClient) => Promise<void>): Promise<void> {
  const client = await pool.connect()
  try {
    await use(client)
  } finally {
    client.release()
  }
}
