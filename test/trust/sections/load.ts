import { expect } from 'chai'

import { disperse } from '../load/crowd.ts'
import { tryLists } from '../load/lists.ts'
import { type Scale, SCALES } from '../load/scale.ts'
import {
  expectManyUploads,
  expectSteadyUpload,
  expectToBeTurnedAway,
  warmUp,
} from '../load/uploads.ts'
import type { Section, Trials } from '../section.ts'
import { inMegabytes } from '../tools/gauges.ts'
import { whileWatchingMemory } from '../tools/memory-peak.ts'
import { openWorld, type World } from '../world.ts'

/** In which the service has to live, whatever is asked of it. */
const HEAP = '--max-old-space-size=1024'
const ROUNDS = 3
/** Of what the first round took. */
const MOST_OF_FIRST = 1.1

export const load: Section = {
  name: 'load',
  about: 'lists under 64 connections, large and many uploads, and more than it can take',
  async run(trials) {
    const scale = SCALES[trials.extent]
    const env = { MAX_UPLOADS: '64', LOG_LEVEL: 'warn', NODE_OPTIONS: HEAP }
    await using world = await openWorld(trials, { env })
    await tryLists(trials, world, scale)
    await disperse(world)
    await warmUp(world)
    const peaks: number[] = []
    for (let round = 1; round <= ROUNDS; round++) {
      const { mostBytes } = await whileWatchingMemory(world.server, () =>
        tryUploads(trials, world, scale),
      )
      peaks.push(mostBytes)
    }
    await trials.attempt('the third time takes no more memory', async () => {
      const told = peaks.map(inMegabytes).join(', then ')
      expect(peaks.at(-1), told).to.be.at.most(peaks[0]! * MOST_OF_FIRST)
      return told
    })
    await trials.attempt('nothing left behind', () => world.assertInvariants())
  },
}

async function tryUploads(trials: Trials, world: World, scale: Scale): Promise<void> {
  await trials.attempt('one large CSV', () => expectSteadyUpload(world, scale))
  await trials.attempt('many uploads with list traffic', () => expectManyUploads(world, scale))
  await trials.attempt('more than it can take', () => expectToBeTurnedAway(world))
}
