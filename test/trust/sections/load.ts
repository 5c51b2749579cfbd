import { disperse } from '../load/crowd.ts'
import { tryLists } from '../load/lists.ts'
import { SCALES } from '../load/scale.ts'
import { expectMemoryBack, restingBytes } from '../load/memory.ts'
import {
  expectManyUploads,
  expectSteadyUpload,
  expectToBeTurnedAway,
  warmUp,
} from '../load/uploads.ts'
import type { Section } from '../section.ts'
import { openWorld } from '../world.ts'

export const load: Section = {
  name: 'load',
  about: 'lists under 64 connections, large and many uploads, and more than it can take',
  async run(trials) {
    const scale = SCALES[trials.extent]
    await using world = await openWorld(trials, { env: { MAX_UPLOADS: '16', LOG_LEVEL: 'warn' } })
    // What is measured is the service, not the way through our proxy.
    await world.server.stop()
    await world.start({ DATABASE_URL: world.databaseUrl })
    await tryLists(trials, world, scale)
    await disperse(world)
    await warmUp(world)
    const atRest = await restingBytes(world)
    // What was let go of is there again, as in a service that is used.
    await warmUp(world)
    await trials.attempt('one large CSV', () => expectSteadyUpload(world, scale))
    await trials.attempt('many uploads with list traffic', () => expectManyUploads(world, scale))
    await trials.attempt('more than it can take', () => expectToBeTurnedAway(world))
    await trials.attempt('memory comes back', () => expectMemoryBack(world, atRest))
    await trials.attempt('nothing left behind', () => world.assertInvariants())
  },
}
