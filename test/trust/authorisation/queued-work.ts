import { expect } from 'chai'

import { LOCKS, lockUntilCommit } from '../../../src/db/locks.ts'
import type { Actor } from '../../../src/domain/actor.ts'
import { allRoutes } from '../../../src/http/routes/index.ts'
import { holdLocks } from '../../support/held-locks.ts'
import { found } from '../../support/patience.ts'
import type { World } from '../world.ts'
import { prepare, thingFor, type Tried } from './try-row.ts'

/** The operations that leave work to a queue where that is preferred. */
export const QUEUEING: ReadonlySet<string> = new Set(
  allRoutes('')
    .filter(({ spec }) => spec.longRunning !== undefined)
    .map(({ spec: { method, path } }) => {
      return `${method.toUpperCase()} ${path.replaceAll(/:(\w+)/g, '{$1}')}`
    }),
)

const LOSSES: Readonly<Record<string, (world: World) => string>> = {
  demoted: () => `role_type = 'client'`,
  disabled: () => 'disabled_at = now()',
  moved: ({ people }) => `role_type = 'admin', enterprise_id = ${people.otherEnterprise.id}`,
}

/** What was asked for with every right, and is done when they are gone: each ends the job. */
export async function tryQueuedWork(tried: Tried): Promise<void> {
  const { operation, row, world } = tried
  const role = row.audience === 'super-admin' ? 'super-admin' : 'admin'
  const { enterprise } = world.people
  for (const [loss, change] of Object.entries(LOSSES)) {
    const owner = await world.build.user({ role, enterprise })
    const thing = await thingFor(tried, owner, 'own')
    const client = world.client.as(owner).withHeaders({ prefer: 'respond-async' })
    const request = await prepare(tried, { name: loss, client, actor: null })
    const held = await holdLocks(world.pool, lockUntilCommit(LOCKS.nextJob))
    let job: string
    try {
      const { status, body, text } = await request(thing)
      expect(status, `${operation}, ${loss}: ${text.slice(0, 300)}`).to.equal(202)
      job = body.uuid as string
      await world.pool.query(`update users set ${change(world)} where id = $1`, [owner.id])
    } finally {
      await held.release()
    }
    const ended = await endOf(world, owner, job)
    expect(ended, `${operation}, ${loss}`).to.deep.equal({
      status: 'FAILED',
      code: 'RightsLostException',
    })
  }
}

const endOf = ({ pool }: World, owner: Actor, job: string) =>
  found('the job has ended', async () => {
    const { rows } = await pool.query<{ status: string; code: string | null }>(
      `select status, error ->> 'code' as code from jobs
       where owner_id = $1 and uuid = $2 and finished_at is not null`,
      [owner.id, job],
    )
    return rows[0] ?? null
  })
