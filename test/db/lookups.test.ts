import { expect } from 'chai'
import type { Pool } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'

import {
  DatabaseBusyError,
  DatabaseUnavailableError,
  translateDatabaseError,
} from '../../src/db/database-errors.ts'
import { createLookups, type Lookups } from '../../src/db/lookups.ts'
import { createPool } from '../../src/db/pool.ts'
import { useDatabase } from '../support/database.ts'
import { holdLocks } from '../support/held-locks.ts'
import { until } from '../support/patience.ts'
import { startTcpProxy } from '../support/tcp-proxy.ts'

describe('createLookups', () => {
  const database = useDatabase()
  let pool: Pool
  let lookups: Lookups

  before(() => database.pool.query('create table public.held (id integer)'))
  beforeEach(() => {
    pool = createPool(database.url, { max: 2 })
    lookups = createLookups(pool)
  })
  afterEach(() => pool.end())

  const numbered = (n: number) => ({
    name: 'numbered',
    text: 'select $1::integer as n, pg_backend_pid() as pid',
    values: [n],
  })
  const ask = async (n: number) =>
    (await lookups.query<{ n: number; pid: number }>(numbered(n))).rows[0]!
  const waitForHeld = (asked: Lookups = lookups) =>
    asked.query<{ pid: number }>({ text: 'select count(*), pg_backend_pid() as pid from held' })
  const failureOf = async (asked: Promise<unknown>) =>
    translateDatabaseError(await asked.then(() => null).catch((error: unknown) => error))

  it('gives each of many questions at once its own answer, on one connection of two', async () => {
    const numbers = Array.from({ length: 100 }, (_, n) => n)
    const answers = await Promise.all(numbers.map(ask))
    expect(answers.map(({ n }) => n)).to.deep.equal(numbers)
    expect(new Set(answers.map(({ pid }) => pid))).to.have.property('size', 1)
  })

  it('sends a question before those ahead of it are answered', async () => {
    await using proxy = await startTcpProxy(database.url)
    const behindProxy = createPool(proxy.through(database.url), { max: 2 })
    const locks = await holdLocks(database.pool, 'lock table held')
    try {
      const asked = createLookups(behindProxy)
      const waiting = waitForHeld(asked)
      await locks.isWaitedFor('held')
      const sentBefore = proxy.forwardedBytes
      const long = { text: 'select length($1) as n', values: ['x'.repeat(1000)] }
      const behind = Array.from({ length: 20 }, () => asked.query<{ n: number }>(long))
      await until('all are sent', () => proxy.forwardedBytes > sentBefore + 20_000)
      await locks.release()
      await waiting
      const lengths = (await Promise.all(behind)).map(({ rows }) => rows[0]!.n)
      expect(lengths).to.deep.equal(Array<number>(20).fill(1000))
    } finally {
      await behindProxy.end()
    }
  })

  it('leaves the other connection to whoever needs one alone', async () => {
    const locks = await holdLocks(database.pool, 'lock table held')
    const waiting = waitForHeld()
    const behind = ask(1)
    await locks.isWaitedFor('held')
    expect((await pool.query('select 1 as one')).rows).to.deep.equal([{ one: 1 }])
    await locks.release()
    expect((await behind).pid).to.equal((await waiting).rows[0]!.pid)
  })

  it('fails a question that the database refuses, and none of those around it', async () => {
    const before = ask(1)
    const refused = failureOf(lookups.query({ text: 'select 1 / 0' }))
    const after = ask(2)
    expect(await before).to.have.property('n', 1)
    expect(await refused).to.have.property('code', '22012')
    expect(await after).to.have.property('n', 2)
    expect((await ask(3)).pid).not.to.equal((await before).pid)
  })

  it('fails what is under way when the connection breaks, and asks on another afterwards', async () => {
    const { pid } = await ask(1)
    const locks = await holdLocks(database.pool, 'lock table held')
    const lost = [failureOf(waitForHeld()), failureOf(ask(2))]
    await locks.isWaitedFor('held')
    await database.pool.query('select pg_terminate_backend($1)', [pid])
    for (const failure of await Promise.all(lost)) {
      expect(failure).to.be.instanceOf(DatabaseUnavailableError)
    }
    await locks.release()
    expect((await ask(3)).pid).not.to.equal(pid)
  })

  it('gives up a connection that stays silent', async () => {
    const impatient = createLookups(pool, 50)
    const locks = await holdLocks(database.pool, 'lock table held')
    const silent = [failureOf(waitForHeld(impatient)), failureOf(impatient.query(numbered(1)))]
    for (const failure of await Promise.all(silent)) {
      expect(failure).to.be.instanceOf(DatabaseBusyError)
    }
    await locks.release()
    expect(await ask(2)).to.have.property('n', 2)
  })

  it('gives its connection back fit for COPY', async () => {
    const { pid } = await ask(1)
    const client = await pool.connect()
    try {
      const copy = client.query(copyFrom('copy held from stdin'))
      copy.end('1\n')
      await new Promise<void>((resolve, reject) => copy.on('finish', resolve).on('error', reject))
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
      expect(rows[0]!.pid).to.equal(pid)
    } finally {
      client.release()
    }
  })

  it('asks through the pool where that has a single connection', async () => {
    const single = createPool(database.url, { max: 1 })
    try {
      const answers = await Promise.all([1, 2].map((n) => createLookups(single).query(numbered(n))))
      expect(answers.map(({ rowCount }) => rowCount)).to.deep.equal([1, 1])
    } finally {
      await single.end()
    }
  })
})
