import { expect } from 'chai'
import * as fc from 'fast-check'

import { canonicalJson, JsonTooDeep } from '../../../pipelines/json/canonical.ts'

function canonical(value: unknown): string {
  return canonicalJson(value, { depth: 50 })
}

describe('Canonical JSON', () => {
  it('sorts keys by code unit at every level and keeps the order of arrays', () => {
    const value = { b: [{ z: 1, a: 2 }, 1], a: null, é: 1, Z: 0, '\uffee': 1, '😀': 1 }
    expect(canonical(value)).to.equal(
      '{"Z":0,"a":null,"b":[{"a":2,"z":1},1],"é":1,"😀":1,"\uffee":1}',
    )
  })

  it('is what JSON.stringify writes for dates, undefined, functions and NaN', () => {
    const value = {
      at: new Date(0),
      gone: undefined,
      call: () => 1,
      list: [undefined, Number.NaN, () => 1, Symbol('s')],
      zero: -0,
      huge: 1e21,
    }
    expect(JSON.parse(canonical(value))).to.deep.equal(JSON.parse(JSON.stringify(value)))
    expect(canonical(undefined)).to.equal('null')
    expect(canonical(new Date(Number.NaN))).to.equal('null')
  })

  it('writes a bigint with all its digits', () => {
    expect(canonical({ n: 123456789012345678901234567890n })).to.equal(
      '{"n":123456789012345678901234567890}',
    )
  })

  it('takes __proto__ for a key', () => {
    expect(canonical(JSON.parse('{"b":1,"__proto__":{"x":1}}'))).to.equal(
      '{"__proto__":{"x":1},"b":1}',
    )
  })

  it('refuses a cycle, and nesting without end, instead of overflowing', () => {
    const cycle: { self?: unknown } = {}
    cycle.self = [cycle]
    expect(() => canonical(cycle)).to.throw(JsonTooDeep)
    expect(canonicalJson([[1]], { depth: 2 })).to.equal('[[1]]')
    expect(() => canonicalJson([[[1]]], { depth: 2 })).to.throw(JsonTooDeep)
  })

  it('tells of strings that cannot be stored, keys included', () => {
    const told: string[] = []
    const onFault = (fault: string) => told.push(fault)
    const text = canonicalJson({ a: 'x\0', '\ud800': 1 }, { depth: 5, onFault })
    expect(told).to.deep.equal(['nul', 'lone-surrogate'])
    expect(text).to.equal('{"a":"x\uFFFD","\uFFFD":1}')
  })

  it('means the same value, and says it in the same way again', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonical(value)
        expect(JSON.parse(text)).to.deep.equal(JSON.parse(JSON.stringify(value)))
        expect(canonical(JSON.parse(text))).to.equal(text)
      }),
    )
  })
})
