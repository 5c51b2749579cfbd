import { randomUUID } from 'node:crypto'

import { expect } from 'chai'

import type { TestResponse } from '../../support/client.ts'
import { postReload, postSource, uniqueTable } from '../deeds/sources.ts'
import type { Section } from '../section.ts'
import { csvOf } from '../tools/csv-of.ts'
import { openWorld, type World } from '../world.ts'

/** How many do the same at the same moment, half of them at either process. */
const TOGETHER = 6
const ROWS = 3_000

/** The deed, and how many of those who try may have which answer. */
interface Contest {
  /** Makes what is fought over, and returns what each of them does. */
  prepare(world: World): Promise<(client: World['client']) => Promise<TestResponse>>
  readonly wins: number
  /** `one`: a single winner. `all`: doing it twice is harmless. */
  readonly winners: 'one' | 'all'
  readonly losers: readonly number[]
}

const CONTESTS: Readonly<Record<string, Contest>> = {
  'a root folder of one enterprise': {
    async prepare({ build, people }) {
      const { id } = await build.enterprise()
      return (client) =>
        client.as(people.superAdmin).post('/folders', { name: 'Root', enterpriseId: id })
    },
    wins: 201,
    winners: 'one',
    losers: [409],
  },
  'a table name': {
    async prepare({ people }) {
      const given = { tableName: uniqueTable(), content: csvOf('contest', ROWS) }
      return (client) => postSource(client.as(people.admin), given)
    },
    wins: 201,
    winners: 'one',
    losers: [409],
  },
  'a reload of one source': {
    async prepare(world) {
      const uuid = await newSource(world)
      const content = csvOf('reloaded', ROWS)
      return (client) => postReload(client.as(world.people.admin), uuid, content)
    },
    wins: 200,
    winners: 'all',
    losers: [409],
  },
  'the deletion of one source': {
    async prepare(world) {
      const uuid = await newSource(world)
      return (client) => client.as(world.people.admin).delete(`/sources/${uuid}`)
    },
    wins: 200,
    winners: 'one',
    losers: [404, 409],
  },
  'the deletion of one connection': {
    async prepare({ build, people }) {
      const { uuid } = await build.connection({ enterprise: people.enterprise })
      return (client) => client.as(people.admin).delete(`/connections/${uuid}`)
    },
    wins: 200,
    winners: 'one',
    losers: [404],
  },
  'the cancellation of one job': {
    async prepare({ pool, people }) {
      const { rows } = await pool.query<{ uuid: string }>(
        `insert into jobs (kind, owner_id, queued, status) values ('contest', $1, true, 'QUEUED')
         returning uuid`,
        [people.admin.id],
      )
      return (client) => client.as(people.admin).post(`/jobs/${rows[0]!.uuid}/cancel`)
    },
    wins: 202,
    winners: 'one',
    losers: [409],
  },
  'one idempotency key': {
    async prepare({ people }) {
      const key = randomUUID()
      const body = { name: key, baseUrl: 'https://forms.example.com', apiKey: 'frm_contest_key' }
      return (client) =>
        client.as(people.admin).withHeaders({ 'idempotency-key': key }).post('/connections', body)
    },
    wins: 201,
    winners: 'all',
    losers: [409],
  },
}

export const atOnce: Section = {
  name: 'at-once',
  about: 'the same thing several times at once, at two processes: one wins',
  async run(trials) {
    await using world = await openWorld(trials)
    const first = world.client
    await world.start()
    const second = world.client
    for (const [name, contest] of Object.entries(CONTESTS)) {
      await trials.repeat(name, { ci: 1, short: 5, long: 50 }, async () => {
        const attempt = await contest.prepare(world)
        const answers = await Promise.all(
          Array.from({ length: TOGETHER }, (_, at) => attempt(at % 2 === 0 ? first : second)),
        )
        expectWinners(contest, answers)
      })
    }
    await trials.repeat('one key, one connection', { ci: 1, short: 3, long: 20 }, async () => {
      const attempt = await CONTESTS['one idempotency key']!.prepare(world)
      const answers = await Promise.all([first, second, first, second].map(attempt))
      const made = new Set(
        answers.filter(({ status }) => status === 201).map(({ body }) => body.uuid as string),
      )
      expect(made.size, 'connections that were made').to.equal(1)
    })
    await trials.attempt('nothing left behind', () => world.assertInvariants())
  },
}

function expectWinners({ wins, winners, losers }: Contest, answers: readonly TestResponse[]): void {
  const won = answers.filter(({ status }) => status === wins)
  const statuses = answers.map(({ status }) => status).join(', ')
  expect(won.length, `winners among ${statuses}`).to.be.within(1, winners === 'one' ? 1 : TOGETHER)
  for (const { status, text } of answers) {
    expect(status, `${statuses}: ${text.slice(0, 200)}`).to.be.oneOf([wins, ...losers])
  }
}

async function newSource({ client, people }: World): Promise<string> {
  const given = { tableName: uniqueTable(), content: csvOf('contest', ROWS) }
  const created = await postSource(client.as(people.admin), given)
  expect(created.status, created.text).to.equal(201)
  return created.body.uuid as string
}
