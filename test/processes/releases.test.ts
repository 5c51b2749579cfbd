import { expect } from 'chai'

import { Releases } from '../../src/processes/releases.ts'

describe('releases', () => {
  /** Fails so often before it works. */
  function worksAfter(failures: number) {
    const state = { tries: 0 }
    const work = async () => {
      if (state.tries++ < failures) throw new Error('away')
    }
    return { state, work }
  }

  it('are made at once where that works', async () => {
    const releases = new Releases()
    const { state, work } = worksAfter(0)
    await releases.release(work)
    await releases.retry()
    expect(state.tries).to.equal(1)
  })

  it('are tried again until they work, whichever of the others fail', async () => {
    const releases = new Releases()
    const [soon, late] = [worksAfter(1), worksAfter(3)]
    for (const { work } of [late, soon]) await releases.release(work)
    for (let time = 0; time < 2; time++) {
      const failure = await releases.retry().catch((error: Error) => error.message)
      expect(failure).to.equal('away')
    }
    await releases.retry()
    await releases.retry()
    expect([soon.state.tries, late.state.tries]).to.deep.equal([2, 4])
  })
})
