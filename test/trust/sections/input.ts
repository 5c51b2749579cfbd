import { expect } from 'chai'

import { MiB } from '../../../pipelines/index.ts'
import type { Failure } from '../ledger.ts'
import { messageOf, type Section, type Trials } from '../section.ts'
import { brokenArchives } from '../input/archives.ts'
import { type BadFile } from '../input/bad-file.ts'
import { costlyFiles } from '../input/costly.ts'
import { foreignFiles } from '../input/foreign.ts'
import { brokenGzip } from '../input/gzip.ts'
import { expectHugePageRefused } from '../input/huge-page.ts'
import { brokenJson } from '../input/json.ts'
import { otherLargeCells, quickLargeCells } from '../input/oversized.ts'
import { damageBy, flipBy, recipes, soundFiles } from '../input/random-damage.ts'
import { ANSWER_WITHIN_MS, expectAnswer, sendFile } from '../input/send-file.ts'
import { brokenText } from '../input/text.ts'
import { inMegabytes } from '../tools/gauges.ts'
import { whileWatchingMemory } from '../tools/memory-peak.ts'
import { startOwnTime } from '../tools/own-time.ts'
import { openWorld, type World } from '../world.ts'

const BROKEN: Readonly<Record<string, () => BadFile[]>> = {
  'broken gzip': brokenGzip,
  'broken archives': brokenArchives,
  'broken text': brokenText,
  'broken JSON': brokenJson,
  'files of other kinds': foreignFiles,
  'files that could take for ever': costlyFiles,
}
/** Above what the service held before, for what is broken and for what is too large. */
const MOST_FOR_BROKEN = 384 * MiB
const MOST_FOR_LARGE = 640 * MiB
/** Most of it is the time that it takes to send 400 MB. */
const LARGE_WITHIN_MS = 20_000

export const input: Section = {
  name: 'input',
  about: 'files that are broken, costly or far too large, and pages of 10 GB',
  async run(trials) {
    await using world = await openWorld(trials, {
      env: { LOG_LEVEL: 'warn', OUTBOUND_TIMEOUT: '20s' },
      forms: { responsesPerForm: 2_500 },
    })
    for (const [what, files] of Object.entries(BROKEN)) {
      await trials.attempt(`memory for ${what}`, () =>
        expectLittleMemory(world, MOST_FOR_BROKEN, () => tryAll(trials, world, what, files())),
      )
    }
    const isShort = trials.extent === 'ci'
    for (const file of isShort ? quickLargeCells() : [...quickLargeCells(), ...otherLargeCells()]) {
      await trials.attempt(`a cell of 400 MB ${file.name}`, () =>
        expectLittleMemory(world, MOST_FOR_LARGE, () => expectAnswer(world, file, LARGE_WITHIN_MS)),
      )
    }
    for (const kind of ['huge-page', 'compression-bomb'] as const) {
      await trials.attempt(`a page of 10 GB (${kind})`, () =>
        expectLittleMemory(world, MOST_FOR_BROKEN, () => expectHugePageRefused(world, kind)),
      )
    }
    const makers = recipes()
    await trials.repeat('random damage', { ci: 60, short: 1_000, long: 30_000 }, (random) =>
      expectTakenOrRefused(world, random.pick(makers)(damageBy(random))),
    )
    for (const [kind, file] of Object.entries(soundFiles())) {
      await trials.repeat(`damage to ${kind}`, { ci: 8, short: 100, long: 10_000 }, (random) => {
        const damage = random.pick([damageBy, flipBy])(random)
        return expectTakenOrRefused(world, damage(file))
      })
    }
    await trials.attempt('nothing left behind', () => world.assertInvariants())
  },
}

async function tryAll(
  trials: Trials,
  world: World,
  what: string,
  files: readonly BadFile[],
): Promise<void> {
  const failures: Failure[] = []
  for (const file of files) {
    try {
      await expectAnswer(world, file, ANSWER_WITHIN_MS)
    } catch (error) {
      failures.push({ seed: trials.seed, message: `${file.name}: ${messageOf(error)}` })
    }
  }
  trials.count(what, files.length, failures)
}

async function expectLittleMemory(
  world: World,
  mostBytes: number,
  work: () => Promise<void>,
): Promise<string> {
  const { grownBytes } = await whileWatchingMemory(world.server, work)
  const told = `${inMegabytes(grownBytes)} more`
  expect(grownBytes, told).to.be.at.most(mostBytes)
  return told
}

/** Chance may have left it whole; its table is not kept, since there may be thousands. */
async function expectTakenOrRefused(world: World, bytes: Buffer): Promise<void> {
  const ownTime = await startOwnTime(world.server.pid)
  const { status, body, text } = await sendFile(world, { content: () => [bytes] })
  const tookMs = await ownTime(world.server.pid)
  expect(tookMs, 'time to the answer').to.be.lessThan(world.within(ANSWER_WITHIN_MS))
  expect(status, text.slice(0, 400)).to.be.oneOf([201, 400])
  if (status === 400) return
  const uuid = body.uuid as string
  const deleted = await world.client.as(world.people.admin).delete(`/sources/${uuid}`)
  expect(deleted.status, deleted.text).to.equal(200)
}
