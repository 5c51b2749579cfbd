import { setTimeout as sleep } from 'node:timers/promises'

import { expect } from 'chai'

import type { TestResponse } from '../../support/client.ts'
import { formOf } from '../../support/uploads.ts'
import type { SeededRandom } from '../../support/seeded-random.ts'
import type { Fault } from '../../support/s3-server/index.ts'
import type { Section } from '../section.ts'
import { plantTree, type Tree } from '../tools/plant-tree.ts'
import { until } from '../tools/until.ts'
import { BUCKETS, openWorld, type World } from '../world.ts'

const DOCUMENTS_EACH = 12
/** Each call tries all that is left: it has to converge soon. */
const MOST_CALLS = 4
/** Three attempts of half a minute, and some air. */
const ALL_ATTEMPTS_MS = 110_000
const GRACE_MS = 10_000

type FaultsOf = (random: SeededRandom) => readonly Fault[]
const operation = 'DeleteObjects' as const
const onceMore = { operation, times: 1 }
const always = { operation, times: Infinity }
/** The same keys fail every time. */
const someKeys = (random: SeededRandom) => {
  const wanted = random.integer(0, 15).toString(16)
  return (key: string) => key.includes(wanted)
}

const FAULTS: Readonly<Record<string, FaultsOf>> = {
  'errors for some keys': (random) => [
    { ...always, kind: 'key-errors', keys: someKeys(random), code: 'AccessDenied' },
  ],
  'errors for every key': () => [
    { ...always, kind: 'key-errors', keys: () => true, code: 'InternalError' },
  ],
  'an error 500 of one bucket': () => [
    { ...always, bucket: BUCKETS[1], kind: 'answer', status: 500, code: 'InternalError' },
  ],
  'an error 503 of every bucket': () => [
    { ...always, kind: 'answer', status: 503, code: 'SlowDown' },
  ],
  'a reset before': () => [{ ...onceMore, kind: 'reset', when: 'before' }],
  'a reset after it was applied': () => [{ ...onceMore, kind: 'reset', when: 'after' }],
  'one fault of each kind': (random) => [
    { ...onceMore, kind: 'reset', when: 'after' },
    { ...onceMore, kind: 'answer', status: 500, code: 'InternalError' },
    { ...onceMore, kind: 'key-errors', keys: someKeys(random), code: 'AccessDenied' },
  ],
}

export const rootDeletions: Section = {
  name: 'deletion',
  about: 'permanent deletion while object storage fails, uploads arrive and processes die',
  async run(trials) {
    await using world = await openWorld(trials, { store: 's3' })
    for (const [name, faults] of Object.entries(FAULTS)) {
      await trials.repeat(name, { ci: 1, short: 3, long: 30 }, async (random) => {
        const tree = await plantTree(world, DOCUMENTS_EACH)
        for (const fault of faults(random)) world.s3!.addFault(fault)
        const faulty = await world.answers.whileFailing(() => deleteTree(world, tree))
        world.s3!.clearFaults()
        expect(faulty.status, faulty.text).to.equal(200)
        await expectHonestCount(world, tree, faulty)
        return `${await converge(world, tree)} calls more`
      })
    }
    await trials.repeat('an answer that never comes', { ci: 0, short: 0, long: 3 }, async () => {
      const tree = await plantTree(world, DOCUMENTS_EACH)
      world.s3!.addFault({ ...always, bucket: BUCKETS[1], kind: 'hang', when: 'before' })
      const begun = performance.now()
      const faulty = await world.answers.whileFailing(() => deleteTree(world, tree))
      const tookMs = performance.now() - begun
      world.s3!.clearFaults()
      expect(faulty.status, faulty.text).to.equal(200)
      expect(faulty.body.failedDocuments).to.have.length(DOCUMENTS_EACH)
      expect(tookMs, 'time to the answer').to.be.lessThan(world.within(ALL_ATTEMPTS_MS))
      await expectHonestCount(world, tree, faulty)
      await converge(world, tree)
      return `${Math.round(tookMs / 1000)} s to the answer`
    })
    await trials.repeat('SIGTERM while no answer comes', { ci: 0, short: 1, long: 5 }, async () => {
      const tree = await plantTree(world, DOCUMENTS_EACH)
      const calls = world.s3!.callsOf(operation).length
      world.s3!.addFault({ ...always, kind: 'hang', when: 'after' })
      const ended = deleteTree(world, tree).catch(() => null)
      await untilToldStorage(world, calls)
      const { code, tookMs } = await world.server.stop()
      world.s3!.clearFaults()
      await ended
      await world.start()
      expect(code, 'exit code').to.equal(0)
      expect(tookMs, 'time to the exit').to.be.lessThan(world.within(GRACE_MS + 2_000))
      await converge(world, tree)
      return `gone after ${Math.round(tookMs)} ms`
    })
    await trials.repeat('keys that are absent already', { ci: 1, short: 2, long: 10 }, async () => {
      const tree = await plantTree(world, DOCUMENTS_EACH, { withObjects: false })
      const answer = await deleteTree(world, tree)
      expect(answer.body).to.include({ folderDeleted: true })
      await expectGone(world, tree)
    })
    await trials.repeat(
      'kill -9 between storage and database',
      { ci: 1, short: 3, long: 30 },
      async (random) => {
        const tree = await plantTree(world, DOCUMENTS_EACH)
        const calls = world.s3!.callsOf(operation).length
        world.s3!.addFault({ ...always, kind: 'hang', when: 'after' })
        const ended = deleteTree(world, tree).catch(() => null)
        await untilToldStorage(world, calls)
        await sleep(random.integer(0, 200))
        await world.server.kill()
        world.s3!.clearFaults()
        await ended
        await world.start()
        await converge(world, tree)
      },
    )
    await trials.repeat(
      'uploads into a tree that is being deleted',
      { ci: 1, short: 5, long: 50 },
      async (random) => {
        const tree = await plantTree(world, DOCUMENTS_EACH)
        const uploading = uploadWhileDeleting(world, tree, random)
        const [deletion] = await Promise.all([deleteTree(world, tree), uploading])
        expect(deletion.status, deletion.text).to.equal(200)
        for (const { status } of await uploading) expect(status).to.be.oneOf([201, 404, 409])
        await converge(world, tree)
      },
    )
    await trials.repeat('two deletions at once', { ci: 1, short: 5, long: 50 }, async () => {
      const tree = await plantTree(world, DOCUMENTS_EACH)
      const both = await Promise.all([deleteTree(world, tree), deleteTree(world, tree)])
      for (const { status } of both) expect(status).to.be.oneOf([200, 404, 409])
      await converge(world, tree)
    })
  },
}

const untilToldStorage = ({ s3, within }: World, callsBefore: number): Promise<number> =>
  until('storage was told', within(10_000), async () => s3!.callsOf(operation).length > callsBefore)

const deleteTree = ({ client, people }: World, { uuid, name }: Tree): Promise<TestResponse> =>
  client.as(people.superAdmin).delete(`/folders/${uuid}/root`, { folderName: name })

/** What is told to have failed stays, with its file; nothing else does. */
async function expectHonestCount(world: World, tree: Tree, answer: TestResponse): Promise<void> {
  const failed = (answer.body.failedDocuments as { uuid: string }[]).map(({ uuid }) => uuid)
  const left = await documentsIn(world, tree)
  expect(left.toSorted(), 'documents that are left').to.deep.equal(failed.toSorted())
  expect(answer.body.folderDeleted).to.equal(left.length === 0)
}

/** Calls again until the tree is gone; says how often that was. */
async function converge(world: World, tree: Tree): Promise<number> {
  for (let call = 0; call < MOST_CALLS; call++) {
    const answer = await deleteTree(world, tree)
    if (answer.status === 404) {
      await expectGone(world, tree)
      return call
    }
    expect(answer.status, answer.text).to.be.oneOf([200, 409])
    await sleep(answer.status === 409 ? 500 : 0)
  }
  throw new Error(`Not gone after ${MOST_CALLS} calls more`)
}

async function expectGone(world: World, tree: Tree): Promise<void> {
  const { rowCount } = await world.pool.query('select from folders where enterprise_id = $1', [
    tree.enterpriseId,
  ])
  expect(rowCount, 'folders that are left').to.equal(0)
  expect(await documentsIn(world, tree), 'documents that are left').to.deep.equal([])
  await world.assertInvariants()
}

async function documentsIn({ pool }: World, { enterpriseId }: Tree): Promise<string[]> {
  const { rows } = await pool.query<{ uuid: string }>(
    'select uuid from documents where enterprise_id = $1',
    [enterpriseId],
  )
  return rows.map(({ uuid }) => uuid)
}

async function uploadWhileDeleting(
  { client, people }: World,
  { folderUuid }: Tree,
  random: SeededRandom,
): Promise<TestResponse[]> {
  const one = async (nth: number) => {
    await sleep(random.integer(0, 120))
    const form = formOf(`late-${nth}.csv`, 'late', { folderUuid })
    return client.as(people.superAdmin).request('POST', '/documents', form)
  }
  return Promise.all([1, 2, 3, 4, 5].map(one))
}
