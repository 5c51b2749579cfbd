import { expect } from 'chai'

import { isDeadProcess, openPresence } from '../../src/db/presence.ts'
import { useDatabase } from '../support/database.ts'

describe('the presence of a process', () => {
  const database = useDatabase()

  async function isDead(processId: number): Promise<boolean> {
    const { rows } = await database.pool.query<{ dead: boolean }>(
      `select ${isDeadProcess('id')} as dead from (select $1::integer as id) process`,
      [processId],
    )
    return rows[0]!.dead
  }

  it('lasts for as long as the process lives', async () => {
    const presence = await openPresence(database.url)
    expect(await isDead(presence.processId)).to.equal(false)
    expect(await isDead(presence.processId + 1)).to.equal(true)
    await presence[Symbol.asyncDispose]()
    expect(await isDead(presence.processId)).to.equal(true)
  })

  it('is renewed when its connection breaks', async () => {
    await using presence = await openPresence(database.url)
    await database.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'presence' and datname = current_database()`,
    )
    const deadline = performance.now() + 5000
    let dead = true
    while (dead && performance.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, 50))
      dead = await isDead(presence.processId)
    }
    expect(dead).to.equal(false)
  })
})
