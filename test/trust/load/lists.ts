import { resolve } from 'node:path'

import { expect } from 'chai'

import { median } from '../../../benchmarks/benchmark.ts'
import { startServer } from '../../support/server-process.ts'
import type { Trials } from '../section.ts'
import type { World } from '../world.ts'
import { type Crowd, gather } from './crowd.ts'
import { hammer, type Hammered } from './hammer.ts'
import type { Scale } from './scale.ts'

const CONNECTIONS = 64
/** Until V8 has compiled what is asked often: of the service that is more than of the bare handler. */
const WARM_UP_SECONDS = 3
const P99_MS = 100
const OF_THE_BARE_HANDLER = 0.8
/** On a machine on which the bare handler takes longer, nothing can hold it. */
const TIMES_BARE_P99 = 1.25

const BARE_FOLDERS = resolve(import.meta.dirname, '../../../benchmarks/cases/folders-bare.ts')
const BARE_DOCUMENTS = resolve(import.meta.dirname, 'bare-documents.ts')

interface Lists {
  readonly bare: string
  readonly as: { readonly uuid: string }
  readonly paths: Readonly<Record<string, string>>
}

const listsOf = ({ boss, owner, rootUuid, folderUuid }: Crowd): readonly Lists[] => [
  {
    bare: BARE_FOLDERS,
    as: boss,
    paths: {
      'GET /folders': '/folders',
      'GET /folders, searched': '/folders?parent=all&search=c0ffe',
      'GET /folders/{uuid}/children': `/folders/${rootUuid}/children`,
      'GET /folders/{uuid}/breadcrumb': `/folders/${folderUuid}/breadcrumb`,
    },
  },
  {
    bare: BARE_DOCUMENTS,
    as: owner,
    paths: { 'GET /documents': '/documents', 'GET /documents, searched': '/documents?search=pi' },
  },
]

/** Each list, and a bare Koa and pg handler of the same query, in turns on the same database. */
export async function tryLists(trials: Trials, world: World, scale: Scale): Promise<void> {
  const crowd = await gather(world, scale.folders)
  for (const { bare, as, paths } of listsOf(crowd)) {
    await using reference = await startServer(
      { BENCH_DATABASE_URL: world.databaseUrl, BENCH_USER: as.uuid },
      { script: bare },
    )
    const token = await world.client.as(as).token()
    for (const [name, path] of Object.entries(paths)) {
      await trials.attempt(`${name} over ${CONNECTIONS} connections`, async () => {
        const measure = (address: string, seconds = scale.seconds) =>
          hammer({ url: address + path, token, connections: CONNECTIONS, seconds })
        for (const { address } of [world.server, reference]) await measure(address, WARM_UP_SECONDS)
        const ours: Hammered[] = []
        const theirs: Hammered[] = []
        for (let round = 0; round < scale.rounds; round++) {
          ours.push(await measure(world.server.address))
          theirs.push(await measure(reference.address))
        }
        return judge(ours, theirs)
      })
    }
  }
}

/** The median of the rounds of each: what disturbs some of them is not the service. */
function judge(ours: readonly Hammered[], theirs: readonly Hammered[]): string {
  const speed = (rounds: readonly Hammered[]) => median(rounds.map(({ perSecond }) => perSecond))
  const p99 = (rounds: readonly Hammered[]) => median(rounds.map(({ p99Ms }) => p99Ms))
  const part = speed(ours) / speed(theirs)
  const told = [
    `${Math.round(speed(ours))}/s`,
    `${Math.round(part * 100)} % of the bare handler`,
    `p99 ${p99(ours)} ms (bare: ${p99(theirs)} ms)`,
  ].join(', ')
  const failures = ours.reduce((sum, round) => sum + round.failures, 0)
  expect(failures, `errors: ${told}`).to.equal(0)
  expect(part, told).to.be.at.least(OF_THE_BARE_HANDLER)
  expect(p99(ours), told).to.be.at.most(Math.max(P99_MS, p99(theirs) * TIMES_BARE_P99))
  return told
}
