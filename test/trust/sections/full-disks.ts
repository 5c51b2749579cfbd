import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

import { expect } from 'chai'

import { MiB } from '../../../pipelines/index.ts'
import type { TestResponse } from '../../support/client.ts'
import { formOf } from '../../support/uploads.ts'
import { postSource, uniqueTable } from '../deeds/sources.ts'
import { messageOf, type Section, type Trials } from '../section.ts'
import { csvOf } from '../tools/csv-of.ts'
import { mountSmallDisk, type SmallDisk } from '../tools/small-disk.ts'
import { until } from '../tools/until.ts'
import { openWorld, type World } from '../world.ts'

const DISK_BYTES = 700 * MiB
const LEFT_BYTES = 12 * MiB
const ROWS = 600_000
const BACK_WITHIN_MS = 30_000

const DISKS = ['files', 'database'] as const

export const fullDisks: Section = {
  name: 'disks',
  about: 'a disk that fills up under the files, and under the database',
  async run(trials) {
    if (trials.extent === 'ci') return
    for (const holds of DISKS) {
      await using disk = await mountOrSkip(trials, holds)
      if (!disk) continue
      await tryFullDisk(trials, holds, disk)
    }
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

async function tryFullDisk(
  trials: Trials,
  holds: (typeof DISKS)[number],
  disk: SmallDisk,
): Promise<void> {
  const folder = join(disk.folder, holds)
  await mkdir(folder)
  await using world = await openWorld(
    trials,
    holds === 'files' ? { dataDir: folder } : { databaseFolder: folder },
  )
  const content = csvOf('full', ROWS)
  await trials.repeat(`a full disk under the ${holds}`, { ci: 0, short: 1, long: 5 }, async () => {
    await disk.fill(LEFT_BYTES)
    const refused = await world.answers.whileFailing(async () => {
      const answers = [await load(world, content)]
      if (holds === 'files') answers.push(await upload(world, content))
      return answers
    })
    await disk.empty()
    for (const { status, text } of refused) {
      expect(status, text.slice(0, 300)).to.be.oneOf([503, 507])
    }
    const backMs = await until('a load works again', world.within(BACK_WITHIN_MS), async () => {
      const again = await world.answers.whileFailing(() => load(world, csvOf('small', 1_000)))
      return again.status === 201
    })
    await world.assertInvariants()
    return `${refused.map(({ status }) => status).join(', ')}; back in ${Math.round(backMs)} ms`
  })
}

const load = ({ client, people }: World, content: Buffer): Promise<TestResponse> =>
  postSource(client.as(people.admin), { tableName: uniqueTable(), content })

const upload = ({ client, people }: World, content: Buffer): Promise<TestResponse> =>
  client.as(people.admin).request('POST', '/documents', formOf('large.csv', content))
