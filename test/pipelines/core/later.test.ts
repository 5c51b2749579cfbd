import { expect } from 'chai'

import { later, loadAllParts } from '../../../pipelines/index.ts'

describe('parts that no start waits for', () => {
  it('are loaded one after another, and others have their turn in between', async () => {
    const seen: string[] = []
    later(async () => void seen.push('one'))
    later(async () => void seen.push('two'))
    setImmediate(() => seen.push('a turn'))
    await loadAllParts(new AbortController().signal)
    expect(seen.slice(-2)).to.deep.equal(['one', 'two'])
    expect(seen.indexOf('a turn')).to.be.below(seen.indexOf('two'))
  })

  it('are not loaded once the service stops', async () => {
    let isLoaded = false
    later(async () => void (isLoaded = true))
    await loadAllParts(AbortSignal.abort())
    expect(isLoaded).to.equal(false)
  })
})
