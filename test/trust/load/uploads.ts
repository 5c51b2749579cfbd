import { expect } from 'chai'

import { MiB } from '../../../pipelines/index.ts'
import type { TestClient, TestResponse } from '../../support/client.ts'
import { uniqueTable } from '../deeds/sources.ts'
import { inMegabytes, whileMeasuring } from '../tools/gauges.ts'
import { largeCsv, streamUpload } from '../tools/stream-upload.ts'
import type { World } from '../world.ts'
import { tapUntil } from './hammer.ts'
import type { Scale } from './scale.ts'

const LIST_BESIDE_UPLOADS_P99_MS = 300
const EVENT_LOOP_P99_MS = 50
/** On a machine that cannot even say that it lives in that time, nothing can hold it. */
const TIMES_HEALTH_P99 = 3
const TIMES_OWN_DELAY = 1.5
const HEALTH_WITHIN_MS = 1_000

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

/** What a process takes once, for its first load, is not what the later ones cost. */
export async function warmUp(world: World): Promise<void> {
  await upload(world, world.client.as(world.people.admin), MiB)
}

export async function expectSteadyUpload(world: World, { largeBytes }: Scale): Promise<string> {
  const admin = world.client.as(world.people.admin)
  const begun = performance.now()
  const { result, readings } = await whileMeasuring(world.server, () =>
    upload(world, admin, largeBytes),
  )
  const seconds = (performance.now() - begun) / 1000
  const told = [
    `${Math.round(largeBytes / MiB / seconds)} MB/s`,
    `${inMegabytes(readings.grownBytes)} more`,
    `${readings.processorSeconds.toFixed(1)} s of the processor`,
    `event loop p99 ${Math.round(readings.eventLoopDelayP99Ms)} ms (ours: ${Math.round(readings.ownDelayP99Ms)} ms)`,
    `health ${Math.round(readings.slowestHealthMs)} ms`,
  ].join(', ')
  expect(result.status, JSON.stringify(result.body)).to.equal(201)
  expect(readings.grownBytes, told).to.be.at.most(150 * MiB)
  expect(readings.slowestHealthMs, told).to.be.at.most(HEALTH_WITHIN_MS)
  expect(readings.eventLoopDelayP99Ms, told).to.be.at.most(
    Math.max(EVENT_LOOP_P99_MS, readings.ownDelayP99Ms * TIMES_OWN_DELAY),
  )
  return told
}

export async function expectManyUploads(
  world: World,
  { uploads, uploadBytes }: Scale,
): Promise<string> {
  const admin = world.client.as(world.people.admin)
  const { address } = world.server
  const token = await admin.token()
  const { result, readings } = await whileMeasuring(world.server, async () => {
    const sent = Promise.all(
      Array.from({ length: uploads }, () => upload(world, admin, uploadBytes)),
    )
    const lists = await tapUntil(`${address}/sources`, token, sent)
    return { answers: await sent, lists }
  })
  const { p99Ms } = result.lists
  const told = [
    `${uploads} uploads`,
    inMegabytes(readings.mostBytes),
    `${readings.processorSeconds.toFixed(1)} s of the processor`,
    `list p99 ${p99Ms} ms`,
  ].join(', ')
  expect(result.answers.map(({ status }) => status)).to.deep.equal(result.answers.map(() => 201))
  expect(readings.mostBytes, told).to.be.at.most(600 * MiB)
  expect(result.lists.failures, 'errors of lists').to.equal(0)
  expect(p99Ms, told).to.be.at.most(
    Math.max(LIST_BESIDE_UPLOADS_P99_MS, readings.slowestHealthMs * TIMES_HEALTH_P99),
  )
  return told
}

/** More uploads than there are places: some are told when to come again, nobody hangs. */
export async function expectToBeTurnedAway(world: World): Promise<string> {
  const admin = world.client.as(world.people.admin)
  const answers = await world.answers.whileFailing(() =>
    Promise.all(Array.from({ length: 40 }, () => upload(world, admin, 4 * MiB))),
  )
  const turnedAway = answers.filter(({ status }) => status !== 201)
  for (const { status, headers } of answers) {
    expect(status).to.be.oneOf([201, 429, 503])
    if (status !== 201) expect(headers.get('retry-after')).to.match(/^\d+$/)
  }
  expect((await upload(world, admin, MiB)).status, 'afterwards').to.equal(201)
  return `${turnedAway.length} of ${answers.length} asked to come again`
}
