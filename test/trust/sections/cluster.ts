import { setTimeout as sleep } from 'node:timers/promises'

import { expect } from 'chai'

import { type Cluster, findCluster } from '../../../benchmarks/support/cluster-database.ts'
import { urlOn } from '../../../benchmarks/support/join-nodes.ts'
import { createPool } from '../../../src/db/pool.ts'
import type { TestClient, TestResponse } from '../../support/client.ts'
import { clusterUrl } from '../../support/cluster.ts'
import { startTcpProxy } from '../../support/tcp-proxy.ts'
import { csvOf } from '../tools/csv-of.ts'
import { type Deed, UNDERTAKINGS } from '../deeds/index.ts'
import { finish } from '../deeds/finish.ts'
import { upsertIntoSource } from '../deeds/loads.ts'
import {
  createSource,
  createSourceLater,
  postReload,
  postSource,
  reloadSource,
  uniqueTable,
} from '../deeds/sources.ts'
import type { Section, Trials } from '../section.ts'
import { leftOnNodes } from '../tools/left-on-nodes.ts'
import { type NodeFault, slotsUsedUp } from '../tools/node-controls.ts'
import { until } from '../tools/until.ts'
import { databaseThrough } from '../tools/world-database.ts'
import { openWorld, type World } from '../world.ts'

const AWAY_MS = 3_000
const SMALL_ROWS = 1_000
const LARGE_ROWS = 40_000
/** More than rows have places to be read at. */
const ENTERPRISES_THAT_WAIT = 6
const LONG_AWAY_MS = 10_000
const BACK_WITHIN_MS = 30_000
/** A session that knew the node before it went may meet its old connection to it once. */
const PAUSE_MS = 500
/** A dropped shard may be dropped a little later. */
const LET_GO_MS = 90_000

/** What a node is sent in each phase of a load, and that the way to it ends with. */
const PHASES: readonly { readonly name: string; readonly sent: RegExp }[] = [
  { name: 'COPY', sent: /COPY /i },
  { name: 'the index', sent: /PRIMARY KEY/i },
  { name: 'publication', sent: /ATTACH PARTITION/i },
  { name: 'the promise to commit', sent: /PREPARE TRANSACTION/i },
  { name: 'the commit', sent: /COMMIT PREPARED/i },
]

export const cluster: Section = {
  name: 'cluster',
  about: 'a node of a Citus cluster cut off, full, stopped, frozen (--database-url, --node-…)',
  async run(trials) {
    const url = clusterUrl()
    if (url === undefined) {
      trials.skip('a node that is away', 'no --database-url of a cluster')
      return
    }
    const found = await findCluster(url)
    const chosen = chosenOf(trials)
    if (await nodesSpeakTls(url)) {
      const reason =
        'the nodes speak TLS: set citus.node_conninfo to sslmode=disable on all of them'
      trials.skip('cuts in each phase', reason)
    } else {
      await cutInEachPhase(chosen, found)
    }
    const faults = [slotsUsedUp(urlOn(url, found.nodes[0])), ...trials.nodeFaults]
    await takeNodeAway(chosen, faults)
    await beginWithout(chosen, faults)
  },
}

/** A cut waits for what is sent, and could not read it. */
async function nodesSpeakTls(url: string): Promise<boolean> {
  const pool = createPool(url, { max: 1 })
  try {
    const { rows } = await pool.query<{ encrypted: boolean }>(
      `select bool_or(result::boolean) as encrypted from run_command_on_workers(
         'select ssl from pg_stat_ssl where pid = pg_backend_pid()')`,
    )
    return rows[0]!.encrypted
  } finally {
    await pool.end()
  }
}

/** Looked for whatever was chosen: a database could not be dropped while a node has promised something in it. */
const NOTHING_LEFT = 'nothing left behind'

function chosenOf(trials: Trials): Trials {
  const isChosen = (fault: string) => fault.includes(trials.only) || fault.startsWith(NOTHING_LEFT)
  return {
    ...trials,
    attempt: async (fault, work) => !isChosen(fault) || trials.attempt(fault, work),
    repeat: async (fault, counts, work) => {
      if (isChosen(fault)) await trials.repeat(fault, counts, work)
    },
  }
}

async function cutInEachPhase(trials: Trials, found: Cluster): Promise<void> {
  await using way = await startTcpProxy(urlOn(found.url, found.nodes[0]))
  await using world = await openWorld(trials, { database: await databaseThrough(found, way) })
  for (const { name, sent } of PHASES) {
    for (const undertaking of [createSource, createSourceLater, reloadSource, upsertIntoSource]) {
      for (const when of ['before', 'after'] as const) {
        await trials.repeat(
          `cut ${when} ${name}, ${undertaking.name}`,
          { ci: 1, short: 1, long: 20 },
          async (random) => {
            const deed = await undertaking.prepare(world, random)
            const cut = way.cutWhenSent(sent, { when })
            const answer = await world.answers.whileFailing(() => deed.run(world.client))
            await until('it was cut', world.within(BACK_WITHIN_MS), async () => cut.happened)
            expect(answer.status, answer.text).to.be.oneOf([...undertaking.succeeds, 503])
            // What the cluster does by itself once a minute: it commits what a node has promised.
            await world.pool.query('select recover_prepared_transactions()')
            await finish(world, undertaking, patient(world, deed))
          },
        )
      }
    }
  }
  await trials.attempt(`${NOTHING_LEFT} by cuts`, () => assertNothingLeft(world))
}

async function takeNodeAway(trials: Trials, faults: readonly NodeFault[]): Promise<void> {
  await using world = await openWorld(trials)
  for (const fault of faults) {
    for (const undertaking of UNDERTAKINGS) {
      await trials.repeat(
        `${fault.name} of a node during ${undertaking.name}`,
        { ci: 1, short: 1, long: 20 },
        async (random) => {
          const deed = await undertaking.prepare(world, random)
          const answer = await whileAway(world, fault, AWAY_MS, async (begin) => {
            const ended = deed.run(world.client).catch((error: unknown) => error as Error)
            await sleep(random.integer(10, 400))
            await begin()
            return () => ended
          })
          if (answer instanceof Error) throw answer
          expect(answer.status, answer.text).to.be.oneOf([...undertaking.succeeds, 503])
          await finish(world, undertaking, patient(world, deed))
        },
      )
    }
    await trials.attempt(`${fault.name} of a node for 10 s: what is queued`, () =>
      queuedWaits(world, fault),
    )
  }
  await trials.attempt(NOTHING_LEFT, () => assertNothingLeft(world))
}

/** What the coordinator keeps by itself needs no node from its first row on. */
async function beginWithout(trials: Trials, faults: readonly NodeFault[]): Promise<void> {
  await using world = await openWorld(trials, { env: { CITUS_FROM_SIZE: '200KB' } })
  for (const fault of faults) {
    await trials.attempt(`${fault.name} of a node: what needs none beside what waits for it`, () =>
      othersGoOn(world, fault),
    )
    await trials.attempt(
      `${fault.name} of a node: the first table of an enterprise, a small one`,
      async () => {
        const admin = await adminOf(world, `Without a node: ${fault.name}`)
        await whileAway(world, fault, 0, async (begin) => {
          await begin()
          made(await postSource(admin, newTable(SMALL_ROWS)))
          return async () => undefined
        })
      },
    )
  }
  await trials.attempt(`${NOTHING_LEFT} without a node`, () => assertNothingLeft(world))
}

/** Pages and deletions of tables that need the node hold connections of each kind, until they are given up. */
async function othersGoOn(world: World, fault: NodeFault): Promise<void> {
  const small = await adminOf(world, `Small: ${fault.name}`)
  const { uuid } = made(await postSource(small, newTable(SMALL_ROWS)))
  const large: { admin: TestClient; path: string }[] = []
  for (let nth = 1; nth <= ENTERPRISES_THAT_WAIT; nth++) {
    const admin = await adminOf(world, `Large ${nth}: ${fault.name}`)
    const given = newTable(LARGE_ROWS)
    const { uuid: own } = made(await untilServed(world, () => postSource(admin, given)))
    large.push({ admin, path: `/sources/${own as string}` })
  }
  await whileAway(world, fault, 0, async (begin) => {
    await begin()
    const waiting = Promise.all(
      large.flatMap(({ admin, path }) => [admin.get(`${path}/data`), admin.delete(path)]),
    )
    const others = await Promise.all([
      small.get(`/sources/${uuid as string}/data`),
      small.get('/jobs'),
      postSource(small, newTable(SMALL_ROWS)),
    ])
    for (const { status, text } of others) expect(status, text).to.be.oneOf([200, 201])
    return () => waiting
  })
}

async function adminOf({ build, client }: World, name: string): Promise<TestClient> {
  const enterprise = await build.enterprise({ name })
  return client.as(await build.user({ role: 'admin', enterprise }))
}

const newTable = (rows: number) => ({ tableName: uniqueTable(), content: csvOf('new', rows) })

function made({ status, text, body }: TestResponse): TestResponse['body'] {
  expect(status, text).to.equal(201)
  return body
}

async function assertNothingLeft(world: World): Promise<void> {
  await world.assertInvariants()
  let left: string[] = []
  await until('the nodes have let go', world.within(LET_GO_MS), async () => {
    await world.pool.query('select recover_prepared_transactions()')
    left = await leftOnNodes(world.pool)
    return left.length === 0
  }).catch((error: unknown) => {
    throw new Error(left.slice(0, 5).join('\n'), { cause: error })
  })
}

/** Takes the node away where `work` says so; what that gave is asked for once the node is back. */
async function whileAway<R>(
  world: World,
  { begin, end }: NodeFault,
  awayMs: number,
  work: (begin: () => Promise<void>) => Promise<() => Promise<R>>,
): Promise<R> {
  return world.answers.whileFailing(async () => {
    let result: () => Promise<R>
    try {
      result = await work(begin)
      await sleep(awayMs)
    } finally {
      await end()
    }
    const given = await result()
    await until('the node answers again', world.within(BACK_WITHIN_MS), async () => {
      return (await world.client.get('/health/ready')).body.parts.cluster === true
    })
    return given
  })
}

const patient = (world: World, { state, run }: Deed): Deed => ({
  state,
  run: (client) => untilServed(world, () => run(client)),
})

const untilServed = (world: World, ask: () => Promise<TestResponse>): Promise<TestResponse> =>
  world.answers.whileFailing(async () => {
    let answer: TestResponse
    do {
      answer = await ask()
      if (answer.status === 503) await sleep(PAUSE_MS)
    } while (answer.status === 503)
    return answer
  })

/** Named to whoever asks, waited for by a job, which then succeeds. */
async function queuedWaits(world: World, fault: NodeFault): Promise<string> {
  const { client, people } = world
  const admin = client.as(people.admin)
  const given = { tableName: uniqueTable(), content: csvOf('old', 20_000) }
  const { uuid } = (await postSource(admin, given)).body
  let job = ''
  await whileAway(world, fault, LONG_AWAY_MS, async (begin) => {
    await begin()
    const ready = await client.get('/health/ready')
    expect(ready.status, ready.text).to.equal(200)
    expect(ready.body.parts, ready.text).to.include({ database: true, cluster: false })
    const later = admin.withHeaders({ prefer: 'respond-async' })
    const answer = await postReload(later, uuid as string, csvOf('new', 20_000))
    expect(answer.status, answer.text).to.equal(202)
    job = answer.headers.get('location')!
    return async () => undefined
  })
  const backMs = await until('the job has succeeded', world.within(BACK_WITHIN_MS), async () => {
    return (await admin.get(job)).body.status === 'SUCCEEDED'
  })
  return `the job was done ${Math.round(backMs)} ms after the node was back`
}
