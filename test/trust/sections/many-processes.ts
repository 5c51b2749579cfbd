import { setTimeout as sleep } from 'node:timers/promises'

import { expect } from 'chai'

import type { SeededRandom } from '../../support/seeded-random.ts'
import type { ServerProcess } from '../../support/server-process.ts'
import { postSource, uniqueTable } from '../deeds/sources.ts'
import type { Section } from '../section.ts'
import { csvOf } from '../tools/csv-of.ts'
import { until } from '../tools/until.ts'
import { openWorld, type World } from '../world.ts'

const PROCESSES = 3
const JOBS = 12
const ROWS = 60_000
const FINISHED_WITHIN_MS = 60_000

export const manyProcesses: Section = {
  name: 'processes',
  about: 'several processes on one database, killed at random: no job twice, none lost',
  async run(trials) {
    await using world = await openWorld(trials)
    const alive = [world.server]
    for (let nth = 1; nth < PROCESSES; nth++) alive.push(await world.start())
    await trials.repeat(
      `${JOBS} jobs among ${PROCESSES} processes, one of which dies`,
      { ci: 1, short: 2, long: 30 },
      (random) => loseAProcess(world, alive, random),
    )
    await trials.attempt('nothing left behind', () => world.assertInvariants())
  },
}

async function loseAProcess(
  world: World,
  alive: ServerProcess[],
  random: SeededRandom,
): Promise<string> {
  const tables: string[] = []
  const jobs: string[] = []
  for (let nth = 0; nth < JOBS; nth++) {
    const tableName = uniqueTable()
    const client = world
      .clientOf(random.pick(alive))
      .as(world.people.admin)
      .withHeaders({ prefer: 'respond-async' })
    const queued = await postSource(client, { tableName, content: csvOf('queued', ROWS) })
    expect(queued.status, queued.text).to.equal(202)
    tables.push(tableName)
    jobs.push(queued.body.uuid as string)
  }
  await sleep(random.integer(0, 100))
  const victim = random.integer(0, alive.length - 1)
  await alive[victim]!.kill()
  alive[victim] = await world.start()
  const { tookMs, attempts } = await everyJobDone(world, jobs)
  await expectOneSourceEach(world, tables)
  return `${attempts} attempts at ${JOBS} jobs in ${Math.round(tookMs)} ms`
}

async function everyJobDone({ pool, within }: World, jobs: readonly string[]) {
  const tookMs = await until('every job is done', within(FINISHED_WITHIN_MS), async () => {
    const { rowCount } = await pool.query(
      `select from jobs where uuid = any ($1) and status in ('QUEUED', 'RUNNING')`,
      [jobs],
    )
    return rowCount === 0
  })
  const { rows } = await pool.query<{ status: string; attempts: number; error: unknown }>(
    `select status, attempt::int as attempts, error from jobs where uuid = any ($1)`,
    [jobs],
  )
  for (const { status, error } of rows) {
    expect(status, JSON.stringify(error)).to.equal('SUCCEEDED')
  }
  return { tookMs, attempts: rows.reduce((sum, { attempts }) => sum + attempts, 0) }
}

async function expectOneSourceEach({ pool }: World, tables: readonly string[]): Promise<void> {
  const { rows } = await pool.query<{ table_name: string; rows: string; loads: number }>(
    `select name as table_name, row_count::text as rows,
            (select count(*)::int from loads
             where table_id = generated_tables.id and state = 'current') as loads
     from generated_tables where name = any ($1)`,
    [tables],
  )
  expect(rows.map(({ table_name: name }) => name)).to.have.members([...tables])
  for (const { rows: count, loads } of rows) {
    expect(count).to.equal(String(ROWS))
    expect(loads, 'loads of one source').to.equal(1)
  }
}
