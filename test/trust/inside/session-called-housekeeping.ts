import { expect } from 'chai'

import { holdLocks } from '../../support/held-locks.ts'
import { until } from '../../support/patience.ts'
import { openAnalyst } from './analyst.ts'
import type { Intrusion } from './intrusion.ts'

/** The service interrupts its own housekeeping, which it knows by the name of the session. It may not end those of others. */
export const sessionCalledHousekeeping: Intrusion = {
  name: 'a session of an analyst that calls itself housekeeping, and reads the table',
  async attempt(scene) {
    await using analyst = await openAnalyst(scene)
    const { table, pool, reload } = analyst
    const name = `set local application_name = 'reads housekeeping'`
    const held = await holdLocks(pool, name, `select from ${table}`)
    let isAnswered = false
    const reloading = reload().finally(() => {
      isAnswered = true
    })
    await until('the reload waits, or has its answer', async () => {
      const { rowCount } = await scene.service.pool.query(
        'select from pg_locks where relation = $1::regclass and not granted',
        [table],
      )
      return isAnswered || rowCount! > 0
    })
    await held.release()
    const { status, text } = await reloading
    expect(status, text).to.equal(200)
  },
}
