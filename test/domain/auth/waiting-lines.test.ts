import { expect } from 'chai'

import { WaitingLines } from '../../../src/domain/auth/waiting-lines.ts'

describe('waiting lines', () => {
  const full = new Error('full')
  const lines = (longest = 2) => new WaitingLines(longest, () => full)
  const heldWork = () => {
    const { promise, resolve } = Promise.withResolvers<string>()
    return { work: () => promise, end: () => resolve('done') }
  }

  it('do what has the same key one after the other, and other keys beside it', async () => {
    const line = lines()
    const first = heldWork()
    const done: string[] = []
    const told = (name: string) => async () => void done.push(name)
    const turns = [line.take('a', first.work), line.take('a', told('second'))]
    await line.take('b', told('other'))
    expect(done).to.deep.equal(['other'])
    first.end()
    await Promise.all(turns)
    expect(done).to.deep.equal(['other', 'second'])
  })

  it('refuse at once whoever finds them full, and take others once a turn is over', async () => {
    const line = lines()
    const first = heldWork()
    const turns = [line.take('a', first.work), line.take('a', async () => 'second')]
    expect(await line.take('a', async () => 'third').catch((error: Error) => error)).to.equal(full)
    expect(await line.take('b', async () => 'other')).to.equal('other')
    first.end()
    expect(await Promise.all(turns)).to.deep.equal(['done', 'second'])
    expect(await line.take('a', async () => 'later')).to.equal('later')
  })

  it('go on after work that fails', async () => {
    const line = lines()
    const fails = line.take('a', () => Promise.reject(new Error('no')))
    const next = line.take('a', async () => 'next')
    expect(await fails.catch((error: Error) => error.message)).to.equal('no')
    expect(await next).to.equal('next')
  })
})
