import { everyCaller } from '../authorisation/callers.ts'
import { tryEnterprises } from '../authorisation/enterprises.ts'
import { MATRIX } from '../authorisation/matrix.ts'
import { PAIRS, tryPair } from '../authorisation/pairs.ts'
import { madeOnce, thingMakers } from '../authorisation/things.ts'
import { QUEUEING, tryQueuedWork } from '../authorisation/queued-work.ts'
import { expectRefusals, tryRow } from '../authorisation/try-row.ts'
import { readOperations } from '../hostile/operations.ts'
import type { Section } from '../section.ts'
import { openWorld } from '../world.ts'

export const authorisation: Section = {
  name: 'authorisation',
  about: 'every actor at every operation on own, foreign and absent things',
  async run(trials) {
    await using world = await openWorld(trials, { env: { LOGIN_LIMIT: '100000' } })
    const callers = await everyCaller(world)
    const operations = (await readOperations(world.server.address)).map(({ name }) => name)
    const makers = thingMakers(world)
    const kept = madeOnce(makers)
    await trials.attempt('every operation has a row, every row an operation', async () => {
      const rows = Object.keys(MATRIX)
      const without = operations.filter((name) => !rows.includes(name))
      const stale = rows.filter((name) => !operations.includes(name))
      if (without.length + stale.length === 0) return `${rows.length} rows`
      throw new Error(`No row: ${without.join(', ')}\nNo operation: ${stale.join(', ')}`)
    })
    for (const [area, ofArea] of Map.groupBy(operations, areaOf)) {
      const refusals: Awaited<ReturnType<typeof tryRow>>[] = []
      for (const operation of ofArea) {
        const row = MATRIX[operation]
        if (!row || trials.signal.aborted) continue
        // A list shows what is new.
        const make = operation.startsWith('GET ') && !row.lists ? kept : makers
        await trials.attempt(operation, async () => {
          refusals.push(await tryRow({ operation, row, world, make }, callers))
        })
      }
      // All at once: to read the whole database takes longer than a row of calls.
      if (refusals.every(({ calls }) => calls.length === 0)) continue
      await trials.attempt(`refused of ${area}`, () => expectRefusals(world.pool, refusals))
    }
    for (const operation of operations.filter((name) => QUEUEING.has(name))) {
      const row = MATRIX[operation]
      if (!row || trials.signal.aborted) continue
      await trials.attempt(`${operation}, queued before rights were lost`, () =>
        tryQueuedWork({ operation, row, world, make: makers }),
      )
    }
    for (const [name, pair] of Object.entries(PAIRS)) {
      await trials.attempt(name, () => tryPair(pair, world))
    }
    await trials.attempt('things made in another enterprise', () => tryEnterprises(world))
    await trials.attempt('nothing left behind', () => world.assertInvariants())
  },
}

/** `/sources` of `GET /sources/{uuid}/loads`. */
const areaOf = (operation: string) => /\/[^/]*/.exec(operation)![0]
