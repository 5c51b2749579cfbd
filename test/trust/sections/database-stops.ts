import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { expect } from 'chai'

import { makeFolder } from '../../support/folder.ts'
import { finish } from '../deeds/finish.ts'
import { UNDERTAKINGS } from '../deeds/index.ts'
import type { Section } from '../section.ts'
import { until } from '../tools/until.ts'
import { openWorld, type World } from '../world.ts'

const BACK_WITHIN_MS = 20_000

export const databaseStops: Section = {
  name: 'database-stop',
  about: 'PostgreSQL stopped at once in the middle, and started again',
  async run(trials) {
    const folder = await makeFolder('trust-postgres')
    try {
      await using world = await openWorld(trials, { databaseFolder: folder })
      for (const undertaking of trials.extent === 'ci' ? UNDERTAKINGS.slice(0, 1) : UNDERTAKINGS) {
        await trials.repeat(
          `immediate stop during ${undertaking.name}`,
          { ci: 1, short: 1, long: 20 },
          async (random) => {
            const deed = await undertaking.prepare(world, random)
            const postmaster = await postmasterOf(folder)
            const answer = await world.answers.whileFailing(async () => {
              const ended = deed.run(world.client).catch((error: unknown) => error as Error)
              await sleep(random.integer(10, 400))
              process.kill(postmaster, 'SIGQUIT')
              const answered = await ended
              await until('PostgreSQL runs again', world.within(BACK_WITHIN_MS), () =>
                isAnother(world, folder, postmaster),
              )
              return answered
            })
            if (answer instanceof Error) throw answer
            expect(answer.status, answer.text).to.be.oneOf([...undertaking.succeeds, 503])
            const backMs = await until('ready again', world.within(BACK_WITHIN_MS), () =>
              world.answers.whileFailing(
                async () => (await world.client.get('/health/ready')).status === 200,
              ),
            )
            await finish(world, undertaking, deed)
            return `back in ${Math.round(backMs)} ms`
          },
        )
      }
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
}

/** The one that was stopped answers no more, and its successor does. */
async function isAnother({ pool }: World, folder: string, stopped: number): Promise<boolean> {
  const [postmaster, answer] = await Promise.allSettled([
    postmasterOf(folder),
    pool.query('select 1'),
  ])
  const runs = postmaster.status === 'fulfilled' && postmaster.value !== stopped
  return runs && answer.status === 'fulfilled'
}

/** Where PostgreSQL itself writes it down; the role of the service may not ask for the folder. */
async function postmasterOf(folder: string): Promise<number> {
  const [pid] = (await readFile(join(folder, 'data', 'postmaster.pid'), 'utf8')).split('\n')
  return Number(pid)
}
