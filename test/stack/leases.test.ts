import { randomUUID } from 'node:crypto'

import { expect } from 'chai'
import type { Pool } from 'pg'

import { type Lease, LeaseLostError, Leases } from '../../src/stack/leases.ts'
import { reserveSource } from '../../src/domain/sources/create-source.ts'
import { SourceBusyException, SourceTableAlreadyExistsException } from '../../src/errors/index.ts'
import { NO_NODES } from '../../src/stack/citus/nodes.ts'
import { Releases } from '../../src/processes/releases.ts'
import { useDatabase } from '../support/database.ts'
import { createFactories } from '../support/factories.ts'
import { addProcess, removeProcess } from '../support/processes.ts'

describe('leases of generated tables', () => {
  const database = useDatabase()
  const build = createFactories(() => database.pool)

  async function loadedTable(): Promise<number> {
    const enterprise = await build.enterprise()
    const { rows } = await database.pool.query<{ id: number }>(
      `insert into generated_tables (enterprise_id, name, current_load_id)
       values ($1, 'leased', 1) returning id`,
      [enterprise.id],
    )
    return rows[0]!.id
  }

  /** Leases of a process that lives. */
  async function someLeases(pool: Pool = database.pool) {
    const presence = await addProcess(database.pool)
    return {
      presence,
      leases: new Leases({ pool, presence, releases: new Releases(), nodes: NO_NODES }),
    }
  }

  /** A connection that breaks when a statement was done, and before its answer is there. */
  function losingOneAnswer(): Pool {
    let isLost = false
    const query = async (text: string, values: unknown[]) => {
      const result = await database.pool.query(text, values)
      if (isLost) return result
      isLost = true
      throw new Error('Connection terminated unexpectedly')
    }
    return { query } as unknown as Pool
  }

  async function heldBy(tableId: number): Promise<number | null> {
    const { rows } = await database.pool.query<{ held_by: number | null }>(
      'select lease_process as held_by from generated_tables where id = $1',
      [tableId],
    )
    return rows[0]!.held_by
  }

  const failureOf = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => null,
      (error: unknown) => error,
    )

  /** Whether the lease still counts; it does not afterwards. */
  async function release(leases: Leases, lease: Lease): Promise<unknown> {
    const client = await database.pool.connect()
    try {
      return await failureOf(leases.release(client, lease))
    } finally {
      client.release()
    }
  }

  it('are given back at once when the answer to taking them was lost', async () => {
    const { leases } = await someLeases(losingOneAnswer())
    const tableId = await loadedTable()
    expect(await failureOf(leases.take(tableId, null))).to.be.instanceOf(Error)
    expect(await heldBy(tableId)).to.equal(null)
    await leases.giveBack(await leases.take(tableId, null))
    expect(await heldBy(tableId)).to.equal(null)
  })

  it('of a dead process pass to any process that asks, and are cleared by the sweep', async () => {
    const { leases, presence } = await someLeases()
    const { leases: others } = await someLeases()
    const [asked, swept] = [await loadedTable(), await loadedTable()]
    const lost = await leases.take(asked, null)
    await leases.take(swept, null)
    expect(await failureOf(others.take(asked, null))).to.be.instanceOf(SourceBusyException)
    await others.sweep()
    expect(await heldBy(swept)).to.equal(presence.processId)
    await removeProcess(database.pool, presence)
    await others.take(asked, null)
    expect(await release(leases, lost)).to.be.instanceOf(LeaseLostError)
    await others.sweep()
    expect(await heldBy(swept)).to.equal(null)
  })

  describe('of a process that is cut off but still seems to be alive', () => {
    const jobUuid = randomUUID()
    let cutOff: Leases
    let other: Leases

    beforeEach(async () => {
      ;({ leases: cutOff } = await someLeases())
      ;({ leases: other } = await someLeases())
    })

    it('pass only to the same job when it is run again', async () => {
      const tableId = await loadedTable()
      const before = await cutOff.take(tableId, jobUuid)
      for (const stranger of [randomUUID(), null]) {
        const refused = await failureOf(other.take(tableId, stranger))
        expect(refused).to.be.instanceOf(SourceBusyException)
      }
      const after = await other.take(tableId, jobUuid)
      expect(await release(cutOff, before)).to.be.instanceOf(LeaseLostError)
      await cutOff.giveBack(before)
      expect(await release(other, after)).to.equal(null)
    })

    it('leave the name of a new table only to the same job', async () => {
      const user = await build.user()
      const row = {
        enterpriseId: user.enterprise!.id,
        name: 'New',
        tableName: 'new',
        source: 'file' as const,
        createdBy: user.id,
        api: null,
        shapeId: null,
      }
      const reserve = async (leases: Leases, job: string) =>
        (await reserveSource({ pool: database.pool, leases }, row, job)).lease
      const before = await reserve(cutOff, jobUuid)
      const refused = await failureOf(reserve(other, randomUUID()))
      expect(refused).to.be.instanceOf(SourceTableAlreadyExistsException)
      const after = await reserve(other, jobUuid)
      expect(await release(cutOff, before)).to.be.instanceOf(LeaseLostError)
      await cutOff.giveBack(before)
      expect(await release(other, after)).to.equal(null)
    })
  })
})
