import { expect } from 'chai'

import { askTogether } from '../../../src/domain/auth/ask-together.ts'

describe('questions that come up together', () => {
  const asked: string[][] = []
  const answer = (keys: readonly string[]) => new Map(keys.map((key) => [key, `${key}!`]))
  const ask = askTogether(async (keys) => {
    asked.push([...keys])
    if (keys.includes('broken')) throw new Error('The database is gone')
    return answer(keys.filter((key) => key !== 'unknown'))
  })

  beforeEach(() => void asked.splice(0))

  it('are asked once, and each hears its own answer', async () => {
    const answers = await Promise.all(['a', 'b', 'unknown', 'a'].map(ask))
    expect(answers).to.deep.equal(['a!', 'b!', null, 'a!'])
    expect(asked).to.deep.equal([['a', 'b', 'unknown']])
  })

  it('are asked anew once the question before them is out', async () => {
    const slow = Promise.withResolvers<void>()
    let world = 'before'
    const askSlowly = askTogether(async (keys) => {
      const seen = world
      await slow.promise
      return new Map(keys.map((key) => [key, seen]))
    })
    const first = askSlowly('a')
    await new Promise((resolve) => setTimeout(resolve, 5))
    world = 'after'
    const second = askSlowly('a')
    await new Promise((resolve) => setTimeout(resolve, 5))
    slow.resolve()
    expect(await Promise.all([first, second])).to.deep.equal(['before', 'after'])
  })

  it('fail together, and the next ones do not', async () => {
    const failed = await Promise.allSettled([ask('broken'), ask('a')])
    expect(failed.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected'])
    expect(await ask('a')).to.equal('a!')
  })
})
