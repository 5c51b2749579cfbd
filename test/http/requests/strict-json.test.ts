import { expect } from 'chai'
import { Type } from 'typebox'

import { type Problem, ValidationException } from '../../../src/errors/index.ts'
import { parseStrictJson } from '../../../src/http/strict-json.ts'
import { createValidators } from '../../../src/http/validation.ts'

const parse = (text: string) => parseStrictJson(Buffer.from(text))

describe('JSON as the service accepts it', () => {
  it('reads what JSON.parse reads', () => {
    const value = { a: [1, 'x"\\', { b: null }, []], 'é 😀': true, '': {} }
    expect(parse(JSON.stringify(value))).to.deep.equal(value)
  })

  it('treats an empty body, or white space, as no body', () => {
    expect(parse(' \n')).to.equal(undefined)
  })

  for (const [what, text, reason] of [
    ['a key that stands twice', '{"a":1,"a":2}', /“a” occurs twice/],
    ['a key that stands twice once unescaped', '{"a":1,"\\u0061":2}', /“a” occurs twice/],
    ['a key that stands twice in a nested object', '[{"x":{"k":1,"k":2}}]', /“k” occurs twice/],
    ['NUL in a string', '{"a":"\\u0000"}', /NUL/],
    ['half a surrogate pair', '{"a":"\\ud800"}', /surrogate/],
    ['nesting of 100,000', '['.repeat(100_000), /nested deeper/],
    [
      'an object of 100,000 keys',
      `{${Array.from({ length: 100_000 }, (_, n) => `"${n}":0`).join()}}`,
      /more than 10,000 keys/,
    ],
    ['a string that is never closed', '{"a":"b', /never closed/],
    ['a trailing comma', '{"a":1,}', /well-formed/],
    ['a wrong escape', '{"a":"\\x"}', /not valid JSON/],
  ] as const) {
    it(`refuses ${what}`, () => {
      expect(() => parse(text)).to.throw(reason)
    })
  }

  it('accepts equal keys in different objects, and as values', () => {
    expect(parse('[{"a":"a"},{"a":{"a":1}}]')).to.deep.equal([{ a: 'a' }, { a: { a: 1 } }])
  })

  it('refuses bytes that are not UTF-8', () => {
    expect(() => parseStrictJson(Buffer.from([0x22, 0xe9, 0x22]))).to.throw(/UTF-8/)
  })

  it('treats __proto__ as an ordinary key', () => {
    const value = parse('{"__proto__":{"polluted":1}}') as object
    expect(Object.hasOwn(value, '__proto__')).to.equal(true)
    expect(({} as Record<string, unknown>)['polluted']).to.equal(undefined)
  })
})

describe('a body with flaws', () => {
  const flawsOf = (length: number) => {
    const numbers = Type.Array(Type.Integer())
    try {
      createValidators().check(
        'body',
        numbers,
        Array.from({ length }, () => 'none'),
      )
    } catch (error) {
      expect(error).to.be.instanceOf(ValidationException)
      return (error as Problem).extras.errors
    }
    throw new Error('accepted')
  }

  it('is told of a hundred of them', () => {
    expect(flawsOf(20_000)).to.have.length(100)
  })

  it('is told of the first alone where there could be very many', () => {
    expect(flawsOf(20_001)).to.have.length(1)
  })
})
