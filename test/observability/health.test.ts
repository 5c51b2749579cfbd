import { expect } from 'chai'

import { createHealth } from '../../src/observability/health.ts'

describe('the health of the service', () => {
  const works = async () => undefined
  const fails = async () => {
    throw new Error('refused')
  }
  const hangs = () => new Promise<never>(() => undefined)

  it('tells of each part whether it answers', async () => {
    const health = createHealth({ database: works, storage: fails })
    expect(await health.check()).to.deep.equal({ database: true, storage: false })
  })

  it('waits for all parts together until one limit, and blames only those that hang', async () => {
    const health = createHealth({ first: hangs, database: works, last: hangs }, { limitMs: 20 })
    expect(await health.check()).to.deep.equal({ first: false, database: true, last: false })
  })

  it('does not ask a part again that has not answered yet', async () => {
    let asked = 0
    const answers: (() => void)[] = []
    const slow = () => {
      asked++
      return new Promise<void>((resolve) => void answers.push(resolve))
    }
    const health = createHealth({ slow }, { limitMs: 20 })
    expect(await health.check()).to.deep.equal({ slow: false })
    const [one, other] = [health.check(), health.check()]
    answers[0]!()
    expect([await one, await other]).to.deep.equal([{ slow: true }, { slow: true }])
    expect(asked).to.equal(1)
  })

  it('asks again once a part has answered', async () => {
    const answers = [fails, works]
    const health = createHealth({ database: () => answers.shift()!() })
    expect(await health.check()).to.deep.equal({ database: false })
    expect(await health.check()).to.deep.equal({ database: true })
  })
})
