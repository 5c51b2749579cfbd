import autocannon from 'autocannon'
import { expect } from 'chai'

import type { TestClient, TestResponse } from '../../support/client.ts'
import type { Extent, Section, Trials } from '../section.ts'
import { uniqueTable } from '../deeds/sources.ts'
import { crowd } from '../tools/crowd.ts'
import { inMegabytes, whileMeasuring } from '../tools/gauges.ts'
import { largeCsv, streamUpload } from '../tools/stream-upload.ts'
import { openWorld, type World } from '../world.ts'

const MEBIBYTE = 1024 * 1024
const CONNECTIONS = 64
const LIST_P99_MS = 100
const LIST_BESIDE_UPLOADS_P99_MS = 300
const EVENT_LOOP_P99_MS = 50
/** On a machine that cannot even say that it lives in that time, nothing can hold it. */
const TIMES_HEALTH_P99 = 3
const TIMES_OWN_DELAY = 1.5
const HEALTH_WITHIN_MS = 1_000

interface Scale {
  readonly folders: number
  readonly documents: number
  readonly seconds: number
  readonly largeBytes: number
  readonly uploads: number
  readonly uploadBytes: number
}

const SCALES: Readonly<Record<Extent, Scale>> = {
  ci: {
    folders: 1_000,
    documents: 2_000,
    seconds: 3,
    largeBytes: 20 * MEBIBYTE,
    uploads: 4,
    uploadBytes: 2 * MEBIBYTE,
  },
  short: {
    folders: 20_000,
    documents: 100_000,
    seconds: 4,
    largeBytes: 200 * MEBIBYTE,
    uploads: 16,
    uploadBytes: 6 * MEBIBYTE,
  },
  long: {
    folders: 100_000,
    documents: 1_000_000,
    seconds: 20,
    largeBytes: 1024 * MEBIBYTE,
    uploads: 16,
    uploadBytes: 50 * MEBIBYTE,
  },
}

export const load: Section = {
  name: 'load',
  about: 'lists under 64 connections, large and many uploads, and more than it can take',
  async run(trials) {
    const scale = SCALES[trials.extent]
    await using world = await openWorld({ env: { MAX_UPLOADS: '16', LOG_LEVEL: 'warn' } })
    await tryLists(trials, world, scale)
    await trials.attempt('one large CSV', () => expectSteadyUpload(world, scale))
    await trials.attempt('many uploads with list traffic', () => expectManyUploads(world, scale))
    await trials.attempt('more than it can take', () => expectToBeTurnedAway(world))
    await trials.attempt('nothing left behind', async () => {
      // Rows of documents that never had a file would look like lost ones.
      await world.pool.query(`delete from documents where bucket = 'crowd'`)
      await world.assertInvariants()
    })
  },
}

async function tryLists(trials: Trials, world: World, scale: Scale): Promise<void> {
  const { owner, rootUuid } = await crowd(world, scale.folders, scale.documents)
  const { superAdmin } = world.people
  const lists: readonly (readonly [name: string, path: string, as: { uuid: string }])[] = [
    ['GET /folders', '/folders?parent=all', superAdmin],
    ['GET /folders, deep', `/folders?parent=all&page=${scale.folders / 10}`, superAdmin],
    ['GET /folders, searched', '/folders?parent=all&search=Folder%20777', superAdmin],
    ['GET /folders/{uuid}/children', `/folders/${rootUuid}/children`, superAdmin],
    ['GET /documents', '/documents', owner],
    ['GET /documents, searched', '/documents?search=777', owner],
  ]
  const health = await hammer(world.server.address, '/health/live', '', scale.seconds)
  const limitMs = Math.max(LIST_P99_MS, health.p99Ms * TIMES_HEALTH_P99)
  for (const [name, path, as] of lists) {
    await trials.attempt(`${name} over ${CONNECTIONS} connections`, async () => {
      const token = await world.client.as(as).token()
      const seen = await hammer(world.server.address, path, token, scale.seconds)
      expect(seen.failures, 'errors').to.equal(0)
      expect(seen.answers, 'answers').to.be.at.least(CONNECTIONS)
      expect(seen.p99Ms, 'p99 in ms').to.be.at.most(limitMs)
      return `${Math.round(seen.perSecond)}/s, p99 ${seen.p99Ms} ms (health: ${health.p99Ms} ms)`
    })
  }
}

async function hammer(address: string, path: string, token: string, seconds: number) {
  const seen = await autocannon({
    url: address + path,
    connections: CONNECTIONS,
    duration: seconds,
    headers: token === '' ? {} : { 'x-app-access-token': token },
  })
  return {
    failures: seen.errors + seen.timeouts + seen.non2xx,
    p99Ms: seen.latency.p99,
    perSecond: seen.requests.average,
    answers: seen.requests.total,
  }
}

async function upload(world: World, admin: TestClient, bytes: number): Promise<TestResponse> {
  const content = largeCsv(bytes)
  const fields = { source: 'file', name: 'Large', tableName: uniqueTable() }
  const { address } = world.server
  const answer = await streamUpload(
    address,
    '/sources',
    await admin.token(),
    fields,
    content.pieces(),
  )
  await world.answers.see(answer, 'POST /sources')
  if (answer.status === 201) expect(answer.body.rowCount).to.equal(content.rows)
  return answer
}

async function expectSteadyUpload(world: World, { largeBytes }: Scale): Promise<string> {
  const admin = world.client.as(world.people.admin)
  // What a process takes once, for its first load, is not what this one costs.
  await upload(world, admin, MEBIBYTE)
  const begun = performance.now()
  const { result, readings } = await whileMeasuring(world.server.address, () =>
    upload(world, admin, largeBytes),
  )
  const seconds = (performance.now() - begun) / 1000
  const told = [
    `${Math.round(largeBytes / MEBIBYTE / seconds)} MB/s`,
    `${inMegabytes(readings.grownBytes)} more`,
    `event loop p99 ${Math.round(readings.eventLoopDelayP99Ms)} ms (ours: ${Math.round(readings.ownDelayP99Ms)} ms)`,
    `health ${Math.round(readings.slowestHealthMs)} ms`,
  ].join(', ')
  expect(result.status, JSON.stringify(result.body)).to.equal(201)
  expect(readings.grownBytes, told).to.be.at.most(150 * MEBIBYTE)
  expect(readings.slowestHealthMs, told).to.be.at.most(HEALTH_WITHIN_MS)
  expect(readings.eventLoopDelayP99Ms, told).to.be.at.most(
    Math.max(EVENT_LOOP_P99_MS, readings.ownDelayP99Ms * TIMES_OWN_DELAY),
  )
  return told
}

async function expectManyUploads(world: World, { uploads, uploadBytes }: Scale): Promise<string> {
  const admin = world.client.as(world.people.admin)
  const { address } = world.server
  const token = await admin.token()
  const { result, readings } = await whileMeasuring(address, async () => {
    const sent = Promise.all(
      Array.from({ length: uploads }, () => upload(world, admin, uploadBytes)),
    )
    const lists = await hammerUntil(address, '/sources', token, sent)
    return { answers: await sent, lists }
  })
  const { p99Ms } = result.lists
  const told = `${uploads} uploads, ${inMegabytes(readings.mostBytes)}, list p99 ${p99Ms} ms`
  expect(result.answers.map(({ status }) => status)).to.deep.equal(result.answers.map(() => 201))
  expect(readings.mostBytes, told).to.be.at.most(600 * MEBIBYTE)
  expect(result.lists.failures, 'errors of lists').to.equal(0)
  expect(p99Ms, told).to.be.at.most(
    Math.max(LIST_BESIDE_UPLOADS_P99_MS, readings.slowestHealthMs * TIMES_HEALTH_P99),
  )
  return told
}

/** A little list traffic for as long as the uploads take. */
async function hammerUntil(address: string, path: string, token: string, ended: Promise<unknown>) {
  const options = {
    url: address + path,
    connections: 4,
    overallRate: 40,
    duration: 600,
    headers: { 'x-app-access-token': token },
  }
  return new Promise<{ failures: number; p99Ms: number }>((resolve, reject) => {
    const traffic = autocannon(options, (error: unknown, seen) => {
      if (error) reject(error)
      else {
        const failures = seen.errors + seen.timeouts + seen.non2xx
        resolve({ failures, p99Ms: seen.latency.p99 })
      }
    })
    void ended.catch(() => undefined).then(() => traffic.stop())
  })
}

/** More uploads than there are places: some are told when to come again, nobody hangs. */
async function expectToBeTurnedAway(world: World): Promise<string> {
  const admin = world.client.as(world.people.admin)
  const answers = await world.answers.whileFailing(() =>
    Promise.all(Array.from({ length: 40 }, () => upload(world, admin, 4 * MEBIBYTE))),
  )
  const turnedAway = answers.filter(({ status }) => status === 503)
  for (const { status, headers } of answers) {
    expect(status).to.be.oneOf([201, 503])
    if (status === 503) expect(headers.get('retry-after')).to.match(/^\d+$/)
  }
  expect((await upload(world, admin, MEBIBYTE)).status, 'afterwards').to.equal(201)
  return `${turnedAway.length} of ${answers.length} asked to come again`
}
