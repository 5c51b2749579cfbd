import { expect } from 'chai'
import type { Pool } from 'pg'

import { Leases } from '../../../src/domain/sources/leases.ts'
import { useDatabase } from '../../support/database.ts'
import { createFactories } from '../../support/factories.ts'

const PROCESS_ID = 4242

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
      leases = new Leases(losingOneAnswer(), database.knex, PROCESS_ID)
      sourceId = await readySource()
      await leases.take(sourceId).then(
        () => expect.fail('the answer was lost'),
        () => undefined,
      )
      expect(await busyBy(sourceId)).to.equal(PROCESS_ID)
    })

    it('let the same request in again at once', async () => {
      const lease = await leases.take(sourceId)
      await leases.giveBack(lease)
      expect(await busyBy(sourceId)).to.equal(null)
    })

    it('are cleared by the sweep', async () => {
      await leases.sweep()
      expect(await busyBy(sourceId)).to.equal(null)
    })
  })
})
