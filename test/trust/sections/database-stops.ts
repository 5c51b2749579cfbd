import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { expect } from 'chai'

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
    const folder = await mkdtemp(join(tmpdir(), 'trust-postgres-'))
    try {
      await using world = await openWorld({ databaseFolder: folder })
      for (const undertaking of trials.extent === 'ci' ? UNDERTAKINGS.slice(0, 1) : UNDERTAKINGS) {
        await trials.repeat(
          `immediate stop during ${undertaking.name}`,
          { ci: 1, short: 2, long: 20 },
          async (random) => {
            const deed = await undertaking.prepare(world, random)
            const postmaster = await postmasterOf(world)
            const answer = await world.answers.whileFailing(async () => {
              const ended = deed.run(world.client).catch(() => null)
              await sleep(random.integer(10, 400))
              process.kill(postmaster, 'SIGQUIT')
              return ended
            })
            expect(answer?.status, answer?.text).to.be.oneOf([...undertaking.succeeds, 503])
            const backMs = await until('ready again', BACK_WITHIN_MS, () =>
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

async function postmasterOf({ pool }: World): Promise<number> {
  const { rows } = await pool.query<{ folder: string }>(
    `select setting as folder from pg_settings where name = 'data_directory'`,
  )
  const [pid] = (await readFile(join(rows[0]!.folder, 'postmaster.pid'), 'utf8')).split('\n')
  return Number(pid)
}
