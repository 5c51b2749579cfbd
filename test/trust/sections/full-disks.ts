import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

import { expect } from 'chai'

import { MiB } from '../../../pipelines/index.ts'
import { createClient, type TestClient, type TestResponse } from '../../support/client.ts'
import { startServer } from '../../support/server-process.ts'
import { formOf } from '../../support/uploads.ts'
import { postSource, uniqueTable } from '../deeds/sources.ts'
import { messageOf, type Section, type Trials } from '../section.ts'
import { csvOf } from '../tools/csv-of.ts'
import { mountSmallDisk, type SmallDisk } from '../tools/small-disk.ts'
import { until } from '../tools/until.ts'
import { openWorld, type WorldOptions } from '../world.ts'

const DISK_BYTES = 700 * MiB
const LEFT_BYTES = 12 * MiB
const ROWS = 600_000
const BACK_WITHIN_MS = 30_000
const EVERYTHING = 'a service with an embedded database'
const DEMO_ADMIN = { email: 'admin@lumiere.test', password: 'demo-password' }

/** What is on the disk, and the world that puts it there. */
const DISKS = {
  files: (folder) => ({ dataDir: folder }),
  database: (folder) => ({ databaseFolder: folder }),
  'temporary files': (folder) => ({ store: 's3', env: { TMPDIR: folder } }),
} satisfies Record<string, (folder: string) => WorldOptions>

type Holds = keyof typeof DISKS

export const fullDisks: Section = {
  name: 'disks',
  about: 'a disk that fills up under the files, the database, the temporary files, and all of them',
  async run(trials) {
    if (trials.extent === 'ci') return
    for (const holds of Object.keys(DISKS) as Holds[]) {
      await using disk = await mountOrSkip(trials, holds)
      if (!disk) continue
      await tryFullDisk(trials, holds, disk)
    }
    await using disk = await mountOrSkip(trials, EVERYTHING)
    if (disk) await trials.attempt(`a full disk under ${EVERYTHING}`, () => fillUnderEmbedded(disk))
  },
}

async function mountOrSkip(trials: Trials, holds: string): Promise<SmallDisk | null> {
  try {
    return await mountSmallDisk(DISK_BYTES)
  } catch (error) {
    trials.skip(`a full disk under the ${holds}`, messageOf(error))
    return null
  }
}

async function tryFullDisk(trials: Trials, holds: Holds, disk: SmallDisk): Promise<void> {
  const folder = join(disk.folder, 'held')
  await mkdir(folder)
  await using world = await openWorld(trials, DISKS[holds](folder))
  const { client, people } = world
  const admin = client.as(people.admin)
  const content = csvOf('full', ROWS)
  await trials.repeat(`a full disk under the ${holds}`, { ci: 0, short: 1, long: 5 }, async () => {
    await disk.fill(LEFT_BYTES)
    const refused = await world.answers.whileFailing(async () => {
      if (holds === 'temporary files') return [await skip(admin, content)]
      const answers = [await load(admin, content)]
      if (holds === 'files') answers.push(await upload(admin, content))
      return answers
    })
    await disk.empty()
    expectRefused(refused)
    const backMs = await until('a load works again', world.within(BACK_WITHIN_MS), async () => {
      const again = await world.answers.whileFailing(() => load(admin, csvOf('small', 1_000)))
      return again.status === 201
    })
    await world.assertInvariants()
    return told(refused, backMs)
  })
}

/** A first start keeps its database, its files and the temporary ones in one folder. */
async function fillUnderEmbedded(disk: SmallDisk): Promise<string> {
  await using server = await startServer({ DATA_DIR: join(disk.folder, 'data') })
  const client = createClient(server.address, '')
  const signedIn = await client.post('/auth/login', DEMO_ADMIN)
  expect(signedIn.status, signedIn.text).to.equal(200)
  const admin = client.withHeaders({ 'x-app-access-token': signedIn.body.token as string })
  await disk.fill(LEFT_BYTES)
  const refused = [await load(admin, csvOf('full', ROWS))]
  const lives = (await client.get('/health/live')).status
  await disk.empty()
  expectRefused(refused)
  expect(lives, 'alive').to.equal(200)
  const backMs = await until('a load works again', BACK_WITHIN_MS, async () => {
    return (await load(admin, csvOf('small', 1_000))).status === 201
  })
  expect((await server.stop()).code, 'exit code').to.equal(0)
  return told(refused, backMs)
}

function expectRefused(answers: readonly TestResponse[]): void {
  for (const { status, text } of answers) expect(status, text.slice(0, 300)).to.be.oneOf([503, 507])
}

const told = (refused: readonly TestResponse[], backMs: number) =>
  `${refused.map(({ status }) => status).join(', ')}; back in ${Math.round(backMs)} ms`

const load = (admin: TestClient, content: Buffer): Promise<TestResponse> =>
  postSource(admin, { tableName: uniqueTable(), content })

const upload = (admin: TestClient, content: Buffer): Promise<TestResponse> =>
  admin.request('POST', '/documents', formOf('large.csv', content))

/** Where no row is right, all of them are put aside. */
const ALL_WRONG = { columns: [{ name: 'remark', type: 'date' }], onInvalid: 'skip' }

const skip = (admin: TestClient, content: Buffer): Promise<TestResponse> =>
  admin.request(
    'POST',
    '/sources',
    formOf('wrong.csv', content, {
      source: 'file',
      name: 'Wrong',
      tableName: uniqueTable(),
      options: JSON.stringify(ALL_WRONG),
    }),
  )
