import { setImmediate as nextTurn } from 'node:timers/promises'

import { expect } from 'chai'

import { mergeLookups } from '../../../src/domain/auth/auth.ts'

/** By then everything that was asked for in this turn is out. */
async function laterTurn(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await nextTurn()
}

describe('lookups that come up together', () => {
  const asked: string[][] = []
  const answer = (keys: readonly string[]) => new Map(keys.map((key) => [key, `${key}!`]))
  const find = mergeLookups(async (keys) => {
    asked.push([...keys])
    if (keys.includes('broken')) throw new Error('The database is gone')
    return answer(keys.filter((key) => key !== 'unknown'))
  })

  beforeEach(() => void asked.splice(0))

  it('are made once, and each gets its own record', async () => {
    const answers = await Promise.all(['a', 'b', 'unknown', 'a'].map(find))
    expect(answers).to.deep.equal(['a!', 'b!', null, 'a!'])
    expect(asked).to.deep.equal([['a', 'b', 'unknown']])
  })

  it('are made again when an earlier one has already started', async () => {
    const slow = Promise.withResolvers<void>()
    let world = 'before'
    const findSlowly = mergeLookups(async (keys) => {
      const seen = world
      await slow.promise
      return new Map(keys.map((key) => [key, seen]))
    })
    const first = findSlowly('a')
    await laterTurn()
    world = 'after'
    const second = findSlowly('a')
    await laterTurn()
    slow.resolve()
    expect(await Promise.all([first, second])).to.deep.equal(['before', 'after'])
  })

  it('fail together, and the next ones do not', async () => {
    const failed = await Promise.allSettled([find('broken'), find('a')])
    expect(failed.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected'])
    expect(await find('a')).to.equal('a!')
  })
})
