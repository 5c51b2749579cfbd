import { expect } from 'chai'

import { Registry } from '../../../pipelines/core/registry.ts'

describe('a registry', () => {
  const animals = new Registry([{ name: 'cat' }, { name: 'dog' }])

  it('finds entries by name and asks them in order', () => {
    expect(animals.get('dog')).to.deep.equal({ name: 'dog' })
    expect(animals.get('cow')).to.equal(undefined)
    expect(animals.names).to.deep.equal(['cat', 'dog'])
  })

  it('is a value: adding makes another one, asked first', () => {
    const more = animals.with({ name: 'cow' })
    expect(more.names).to.deep.equal(['cow', 'cat', 'dog'])
    expect(animals.names).to.deep.equal(['cat', 'dog'])
  })

  it('replaces an entry of the same name', () => {
    expect(animals.with({ name: 'dog' }).names).to.deep.equal(['dog', 'cat'])
  })

  it('refuses two entries of one name', () => {
    expect(() => new Registry([{ name: 'cat' }, { name: 'cat' }])).to.throw('registered twice')
  })
})
