import { expect } from 'chai'

import { givenBackByBoth } from '../../src/storage/give-back.ts'

describe('bytes with two readers', () => {
  it('are given back when both have done with them, whoever was first', () => {
    const back: string[] = []
    const [first, second] = givenBackByBoth((bytes) => back.push(Buffer.from(bytes).toString()))
    const [a, b] = ['a', 'b'].map((text) => Buffer.alloc(1, text))
    first(a!)
    first(a!)
    second(b!)
    expect(back).to.deep.equal([])
    second(a!)
    first(b!)
    expect(back).to.deep.equal(['a', 'b'])
  })
})
