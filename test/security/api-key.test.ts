import { expect } from 'chai'

import { apiKeyPrefix, apiKeyProblem } from '../../src/security/api-key.ts'

describe('API key', () => {
  it('shows the first 16 characters and never the last 4', () => {
    expect(apiKeyPrefix('abcdefghijklmnopqrstuvwxyz')).to.equal('abcdefghijklmnop')
    expect(apiKeyPrefix('abcdefghijklmnopqrst')).to.equal('abcdefghijklmnop')
    expect(apiKeyPrefix('abcdefghijklmnopq')).to.equal('abcdefghijklm')
    expect(apiKeyPrefix('abcde')).to.equal('a')
    expect(apiKeyPrefix('abcd')).to.equal('')
    expect(apiKeyPrefix('a')).to.equal('')
  })

  it('takes printable ASCII up to 4,096 characters', () => {
    expect(apiKeyProblem('!~Key-_.:/+=')).to.equal(null)
    expect(apiKeyProblem('k'.repeat(4096))).to.equal(null)
  })

  for (const [name, key] of [
    ['nothing', ''],
    ['a space inside', 'a b'],
    ['a line break', 'a\nb'],
    ['a NUL', 'a\0b'],
    ['an accent', 'clé'],
    ['4,097 characters', 'k'.repeat(4097)],
  ] as const) {
    it(`refuses ${name}`, () => {
      expect(apiKeyProblem(key)?.code).to.match(/^api-key\./)
    })
  }
})
