import { randomUUID } from 'node:crypto'

import { expect } from 'chai'
import type { Pool } from 'pg'

import { type Lease, LeaseLostError, Leases } from '../../../src/domain/sources/leases.ts'
import {
  SourceBusyException,
  SourceTableAlreadyExistsException,
} from '../../../src/errors/index.ts'
import { useDatabase } from '../../support/database.ts'
import { createFactories } from '../../support/factories.ts'
import { addProcess } from '../../support/processes.ts'

describe('leases of sources', () => {
  const database = useDatabase()
  const build = createFactories(() => database.pool)

  async function readySource(): Promise<number> {
    const enterprise = await build.enterprise()
    const { rows } = await database.pool.query<{ id: number }>(
      `insert into sources (enterprise_id, name, table_name, source, status)
       values ($1, 'Leased', 'leased', 'file', 'READY') returning id`,
      [enterprise.id],
    )
    return rows[0]!.id
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

  async function busyBy(sourceId: number): Promise<number | null> {
    const { rows } = await database.pool.query<{ busy_by: number | null }>(
      'select busy_by from sources where id = $1',
      [sourceId],
    )
    return rows[0]!.busy_by
  }

  describe('when nobody knows whether one was taken', () => {
    let leases: Leases
    let sourceId: number

    beforeEach(async () => {
      const presence = await addProcess(database.pool)
      leases = new Leases(losingOneAnswer(), database.knex, presence)
      sourceId = await readySource()
      await leases.take(sourceId, null).then(
        () => expect.fail('the answer was lost'),
        () => undefined,
      )
      expect(await busyBy(sourceId)).to.equal(presence.processId)
    })

    it('let the same request in again at once', async () => {
      const lease = await leases.take(sourceId, null)
      await leases.giveBack(lease)
      expect(await busyBy(sourceId)).to.equal(null)
    })

    it('are cleared by the sweep', async () => {
      await leases.sweep()
      expect(await busyBy(sourceId)).to.equal(null)
    })
  })

  describe('of a process that is cut off, and so seems to live', () => {
    const jobUuid = randomUUID()
    let cutOff: Leases
    let other: Leases

    beforeEach(async () => {
      cutOff = new Leases(database.pool, database.knex, await addProcess(database.pool))
      other = new Leases(database.pool, database.knex, await addProcess(database.pool))
    })

    const failureOf = (work: Promise<unknown>): Promise<unknown> =>
      work.then(
        () => null,
        (error: unknown) => error,
      )
    async function check(leases: Leases, lease: Lease): Promise<unknown> {
      const client = await database.pool.connect()
      try {
        return await failureOf(leases.check(client, lease))
      } finally {
        client.release()
      }
    }

    it('pass to the same job when it is run again, and to nobody else', async () => {
      const sourceId = await readySource()
      const before = await cutOff.take(sourceId, jobUuid)
      for (const stranger of [randomUUID(), null]) {
        const refused = await failureOf(other.take(sourceId, stranger))
        expect(refused).to.be.instanceOf(SourceBusyException)
      }
      const after = await other.take(sourceId, jobUuid)
      expect(await check(cutOff, before)).to.be.instanceOf(LeaseLostError)
      await cutOff.giveBack(before)
      expect(await check(other, after)).to.equal(null)
    })

    it('leave the name of a new table to the same job, and to nobody else', async () => {
      const enterprise = await build.enterprise()
      const row = { enterprise_id: enterprise.id, name: 'New', table_name: 'new' }
      const reserve = (leases: Leases, job: string) =>
        leases.reserve({ ...row, source: 'file' }, job)
      const before = await reserve(cutOff, jobUuid)
      const refused = await failureOf(reserve(other, randomUUID()))
      expect(refused).to.be.instanceOf(SourceTableAlreadyExistsException)
      const after = await reserve(other, jobUuid)
      expect(await check(cutOff, before)).to.be.instanceOf(LeaseLostError)
      await cutOff.giveBack(before)
      expect(await check(other, after)).to.equal(null)
    })
  })
})
