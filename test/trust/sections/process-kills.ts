import { setTimeout as sleep } from 'node:timers/promises'

import { expect } from 'chai'

import type { SeededRandom } from '../../support/seeded-random.ts'
import { type Deed, UNDERTAKINGS, type Undertaking } from '../deeds/index.ts'
import { finish } from '../deeds/finish.ts'
import type { Section } from '../section.ts'
import { startOwnTime } from '../tools/own-time.ts'
import { openWorld, type World } from '../world.ts'

const READY_WITHIN_MS = 5_000
const GRACE_MS = 10_000

export const processKills: Section = {
  name: 'process',
  about: 'kill -9 and SIGTERM at random moments of everything that takes long',
  async run(trials) {
    await using world = await openWorld(trials)
    // The first two are the ones that leave most behind.
    const undertakings = trials.extent === 'ci' ? UNDERTAKINGS.slice(0, 2) : UNDERTAKINGS
    for (const undertaking of undertakings) {
      if (trials.signal.aborted) return
      let usualMs = 0
      const works = await trials.attempt(`${undertaking.name}, undisturbed`, async () => {
        usualMs = await timeUndisturbed(world, undertaking)
        return `${Math.round(usualMs)} ms`
      })
      if (!works) continue
      await trials.repeat(
        `kill -9 during ${undertaking.name}`,
        { ci: 1, short: 2, long: 50 },
        async (random) => {
          const deed = await undertaking.prepare(world, random)
          await interrupt(world, deed, random, usualMs, async () => {
            await world.server.kill()
          })
          const ownTime = await startOwnTime(null)
          const { pid, startedInMs } = await world.start()
          const readyMs = await ownTime(pid)
          await finish(world, undertaking, deed)
          expect(readyMs, `ready again, after ${startedInMs} ms`).to.be.lessThan(
            world.within(READY_WITHIN_MS),
          )
          return `ready in ${Math.round(readyMs)} ms`
        },
      )
      await trials.repeat(
        `SIGTERM during ${undertaking.name}`,
        { ci: 0, short: 1, long: 20 },
        async (random) => {
          const deed = await undertaking.prepare(world, random)
          let tookMs = 0
          await interrupt(world, deed, random, usualMs, async () => {
            const { pid } = world.server
            const ownTime = await startOwnTime(pid)
            const exit = await world.server.stop()
            tookMs = await ownTime(pid)
            expect(exit.code, `exit code after ${exit.signal ?? 'SIGTERM'}`).to.equal(0)
          })
          await world.start()
          await finish(world, undertaking, deed)
          expect(tookMs, 'time to stop').to.be.lessThan(world.within(GRACE_MS + 500))
          return `stopped in ${Math.round(tookMs)} ms`
        },
      )
    }
  },
}

async function timeUndisturbed(world: World, undertaking: Undertaking): Promise<number> {
  const deed = await undertaking.prepare(world, { seed: 0 } as SeededRandom)
  const begun = performance.now()
  const answer = await deed.run(world.client)
  expect(answer.status, `${undertaking.name}: ${answer.text}`).to.be.oneOf(undertaking.succeeds)
  return performance.now() - begun
}

/** Something happens at a random moment of a deed; how that one ends is looked at afterwards. */
async function interrupt(
  world: World,
  deed: Deed,
  random: SeededRandom,
  usualMs: number,
  happen: () => Promise<void>,
): Promise<void> {
  await world.answers.whileFailing(async () => {
    const ended = deed.run(world.client).then(
      () => undefined,
      () => undefined,
    )
    await sleep(random.fraction() * usualMs)
    await happen()
    await ended
  })
}
