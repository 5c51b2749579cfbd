import { expect } from 'chai'
import type { PoolClient } from 'pg'

import { inTries, type Patience } from '../../src/stack/table/lock-table.ts'
import { SourceBusyException } from '../../src/errors/index.ts'
import { useDatabase } from '../support/database.ts'

const TABLE = { schema: 'public', table: 'fought_over' }

describe('a change that needs a table for itself', () => {
  const database = useDatabase()
  let reader: PoolClient
  let changer: PoolClient

  before(() => database.pool.query('create table public.fought_over (a int)'))
  beforeEach(async () => {
    reader = await database.pool.connect()
    changer = await database.pool.connect()
    await changer.query('begin')
  })
  afterEach(async () => {
    for (const client of [reader, changer]) {
      await client.query('rollback')
      client.release()
    }
  })

  /** A clock that stands but for the pauses between two tries. */
  function heldClock(paused: (nth: number) => Promise<unknown> = async () => undefined) {
    let now = 0
    let pauses = 0
    const patience: Patience = {
      tryForMs: 20,
      pauseMs: 10_000,
      giveUpAfterMs: 30_000,
      now: () => now,
      async sleep(ms) {
        now += ms
        await paused(++pauses)
      },
    }
    return { patience, pauses: () => pauses }
  }

  const change = (patience: Patience) =>
    inTries(changer, TABLE, patience, async (lock) => {
      await changer.query(`${lock(TABLE)}; alter table fought_over add column if not exists b int`)
    })
  const lockOfReader = async () => {
    await reader.query('begin')
    await reader.query('lock table fought_over in access share mode')
  }

  it('is tried again and again until its time is over, and then leaves all as it was', async () => {
    await lockOfReader()
    const { patience, pauses } = heldClock()
    const refusal: unknown = await change(patience).catch((error: unknown) => error)
    expect(refusal).to.be.instanceOf(SourceBusyException)
    expect(pauses()).to.equal(3)
    const { rows } = await changer.query(
      'select count(*)::int as locks from pg_locks where pid = pg_backend_pid() and relation = $1::regclass',
      ['fought_over'],
    )
    expect(rows).to.deep.equal([{ locks: 0 }])
  })

  it('succeeds as soon as nobody is in its way', async () => {
    await lockOfReader()
    const { patience, pauses } = heldClock(async (nth) => {
      if (nth === 2) await reader.query('commit')
    })
    await change(patience)
    expect(pauses()).to.equal(2)
  })

  it('lets others in between two tries', async () => {
    await lockOfReader()
    let seen = 0
    const { patience } = heldClock(async (nth) => {
      // Would wait for the change, if that still stood in the line.
      seen += (await database.pool.query('select count(*) from fought_over')).rowCount ?? 0
      if (nth === 2) await reader.query('commit')
    })
    await change(patience)
    expect(seen).to.equal(2)
  })

  it('is not tried again when it fails for another reason', async () => {
    const { patience, pauses } = heldClock()
    const failure: unknown = await inTries(changer, TABLE, patience, async () => {
      await changer.query('select 1 / 0')
    }).catch((error: unknown) => error)
    expect((failure as Error).message).to.contain('division by zero')
    expect(pauses()).to.equal(0)
  })
})
