import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

import { expect } from 'chai'

import { onBothStores, type Section, type Trials } from '../section.ts'
import { csvOf } from '../tools/csv-of.ts'
import { busyBackends, possessions } from '../tools/possessions.ts'
import { beginRawUpload, type RawUpload } from '../tools/raw-upload.ts'
import { until } from '../tools/until.ts'
import { openWorld, type World } from '../world.ts'

const IDLE_TIMEOUT_MS = 1_500
const FREE_WITHIN_MS = 2_000
const ROWS = 120_000
const HANG_UPS = [0.01, 0.5, 0.99]

/** What an upload can be for; each reads its stream in a way of its own. */
const TARGETS: readonly { readonly path: string; fields(): Record<string, string> }[] = [
  { path: '/documents', fields: () => ({}) },
  {
    path: '/sources',
    fields: () => ({
      source: 'file',
      name: 'Hung up',
      tableName: `hung_up_${randomUUID().slice(0, 8)}`,
    }),
  },
  { path: '/sources/preview', fields: () => ({}) },
]

export const uploads: Section = {
  name: 'uploads',
  about: 'clients that hang up in the middle, or send a byte a second',
  run: onBothStores(runWith),
}

async function runWith(store: 'local' | 's3', trials: Trials): Promise<void> {
  const env = { UPLOAD_IDLE_TIMEOUT: `${IDLE_TIMEOUT_MS}ms` }
  await using world = await openWorld(trials, { store, env })
  const content = csvOf('hung-up', ROWS)
  // Asked between two attempts it would count what the one before has yet to clear up.
  const nothing = await possessions(world)
  for (const target of TARGETS) {
    for (const part of HANG_UPS) {
      await trials.repeat(
        `hang-up at ${part * 100} % of POST ${target.path} (${store})`,
        { ci: 1, short: 3, long: 20 },
        async (random) => {
          using upload = await begin(world, target, content)
          await hangUpAt(upload, part, random.integer(0, 300))
          const freeMs = await until(
            'every backend is free',
            world.within(FREE_WITHIN_MS),
            async () => (await busyBackends(world)) === 0,
          )
          await until('nothing is left', world.within(5_000), async () =>
            same(await possessions(world), nothing),
          )
          await world.assertInvariants(5_000)
          return `free in ${Math.round(freeMs)} ms`
        },
      )
    }
    await trials.attempt(`one byte a second to POST ${target.path} (${store})`, async () => {
      using upload = await begin(world, target, content)
      const mostSeconds = Math.ceil(world.within(IDLE_TIMEOUT_MS * 3) / 1_000)
      const sending = trickle(upload, mostSeconds)
      const others = await timeOthers(world)
      const seconds = await sending
      expect(await upload.status(), 'the answer to the slow one').to.equal(408)
      await world.assertInvariants(5_000)
      return `cut after ${seconds} bytes, others in ${Math.round(others)} ms`
    })
  }
}

async function begin(
  world: World,
  target: (typeof TARGETS)[number],
  content: Buffer,
): Promise<RawUpload> {
  return beginRawUpload({
    address: world.server.address,
    path: target.path,
    headers: { 'x-app-access-token': await world.client.as(world.people.admin).token() },
    fields: target.fields(),
    filename: 'table.csv',
    content,
  })
}

async function hangUpAt(upload: RawUpload, part: number, lingerMs: number): Promise<void> {
  await upload.sendUntil(Math.floor(upload.totalBytes * part))
  await sleep(lingerMs)
  upload.hangUp()
}

/** Sends a byte a second until it is answered; how many that were. */
async function trickle(upload: RawUpload, most: number): Promise<number> {
  const ended = upload.status().then(() => true)
  await upload.sendUntil(2_000)
  for (let sent = 0; sent <= most; sent++) {
    if (await Promise.race([ended, sleep(1_000).then(() => false)])) return sent
    await upload.sendUntil(upload.sentBytes + 1)
  }
  throw new Error(`The service took ${most} bytes, one a second, without an answer`)
}

/** The slowest of some ordinary requests that go on beside. */
async function timeOthers(world: World): Promise<number> {
  let slowest = 0
  for (let request = 0; request < 10; request++) {
    const begun = performance.now()
    const answer = await world.client.as(world.people.admin).get('/jobs')
    expect(answer.status).to.equal(200)
    slowest = Math.max(slowest, performance.now() - begun)
  }
  return slowest
}

const same = (some: object, other: object) => JSON.stringify(some) === JSON.stringify(other)
