import { expect } from 'chai'

import { until } from '../tools/until.ts'
import type { World } from '../world.ts'
import { type Deed, MIND_MADE_UP_MS, type Undertaking } from './deed.ts'

/** After a fault: old or new, the same request works again, and nothing is left behind. */
export async function finish(world: World, undertaking: Undertaking, deed: Deed): Promise<void> {
  let state: 'undone' | 'done' | null = null
  await until('old or new', world.within(MIND_MADE_UP_MS), async () => {
    state = await deed.state()
    return state !== null
  })
  const again = await deed.run(world.client)
  world.answers.assertClean()
  const expected = state === 'done' ? undertaking.repeated : undertaking.succeeds
  expect(again.status, `again after it was ${state}: ${again.text.slice(0, 300)}`).to.be.oneOf(
    expected,
  )
  await until('done', world.within(MIND_MADE_UP_MS), async () => (await deed.state()) === 'done')
  await world.assertInvariants()
}
