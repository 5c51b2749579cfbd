import { setTimeout as sleep } from 'node:timers/promises'

import { expect } from 'chai'

import type { TestResponse } from '../../support/client.ts'
import { type Deed, UNDERTAKINGS, type Undertaking } from '../deeds/index.ts'
import { finish } from '../deeds/finish.ts'
import type { Section, Trials } from '../section.ts'
import { until } from '../tools/until.ts'
import { openWorld, type World } from '../world.ts'

/** A deed has fewer commits than this, its job and its claims included. */
const MOST_COMMITS = 25
const AWAY_MS = 800
const BACK_WITHIN_MS = 10_000
const UNAVAILABLE = 503

export const databaseFaults: Section = {
  name: 'database',
  about: 'connections cut at every COMMIT, and a database that goes away in the middle',
  async run(trials) {
    await using world = await openWorld(trials, { databaseByProxy: true })
    const chosen = UNDERTAKINGS.filter(({ name }) => name.includes(trials.only))
    const undertakings = trials.extent === 'ci' ? chosen.slice(0, 1) : chosen
    for (const undertaking of undertakings) {
      for (const when of ['before', 'after'] as const) {
        await cutAtEveryCommit(trials, world, undertaking, when)
      }
      await trials.repeat(
        `database gone during ${undertaking.name}`,
        { ci: 1, short: 1, long: 20 },
        async (random) => {
          const deed = await undertaking.prepare(world, random)
          const answer = await world.answers.whileFailing(async () => {
            const ended = attempt(deed, world)
            await sleep(random.integer(10, 400))
            world.databaseProxy!.refuse(true)
            world.databaseProxy!.cutAll()
            await sleep(AWAY_MS)
            const ready = await world.client.get('/health/ready')
            expect(ready.status, 'readiness without a database').to.equal(UNAVAILABLE)
            world.databaseProxy!.refuse(false)
            return ended
          })
          expectHonest(undertaking, answer)
          const backMs = await until(
            'the service is ready again',
            world.within(BACK_WITHIN_MS),
            () => isReady(world),
          )
          await finish(world, undertaking, deed)
          return `back in ${Math.round(backMs)} ms`
        },
      )
    }
  },
}

/** One cut after another, each a commit later, until a deed goes through without meeting it. */
async function cutAtEveryCommit(
  trials: Trials,
  world: World,
  undertaking: Undertaking,
  when: 'before' | 'after',
): Promise<void> {
  const most = Math.min(MOST_COMMITS, trials.times({ ci: 2, short: 12, long: MOST_COMMITS }))
  for (let nth = 0; nth < most && !trials.signal.aborted; nth++) {
    let wasMet = false
    await trials.attempt(`cut ${when} a COMMIT of ${undertaking.name}`, async (random) => {
      const deed = await undertaking.prepare(world, random)
      const cut = world.databaseProxy!.cutWhenSent(/\bcommit\b/i, { letPass: nth, when })
      const answer = await world.answers.whileFailing(() => attempt(deed, world))
      wasMet = cut.happened
      cut.cancel()
      expectHonest(undertaking, answer)
      await finish(world, undertaking, deed)
      return `up to the commit no. ${nth + 1}`
    })
    if (!wasMet) return
  }
}

const attempt = (deed: Deed, world: World): Promise<TestResponse | null> =>
  deed.run(world.client).catch(() => null)

/** Done, or 503: never a 500, and never a success that was none. */
function expectHonest({ name, succeeds }: Undertaking, answer: TestResponse | null): void {
  if (answer === null) throw new Error(`${name}: no answer at all`)
  expect(answer.status, `${name}: ${answer.text.slice(0, 300)}`).to.be.oneOf([
    ...succeeds,
    UNAVAILABLE,
  ])
}

async function isReady(world: World): Promise<boolean> {
  return world.answers.whileFailing(
    async () => (await world.client.get('/health/ready')).status === 200,
  )
}
