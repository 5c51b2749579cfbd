import { expect } from 'chai'
import * as fc from 'fast-check'

import { EngineError } from '../../../pipelines/core/errors.ts'
import { formatPointer, parsePointer } from '../../../pipelines/json/pointer.ts'

describe('JSON Pointers', () => {
  for (const [pointer, tokens] of [
    ['', []],
    ['/', ['']],
    ['/a/0', ['a', '0']],
    ['/a~1b/m~0n', ['a/b', 'm~n']],
    ['/~01', ['~1']],
  ] as const) {
    it(`reads '${pointer}'`, () => {
      expect(parsePointer(pointer)).to.deep.equal(tokens)
    })
  }

  for (const pointer of ['a', 'a/b', '/~', '/~2', '#/a']) {
    it(`refuses '${pointer}' and names the option`, () => {
      expect(() => parsePointer(pointer))
        .to.throw(EngineError, 'is not a JSON Pointer')
        .with.deep.property('problem', { kind: 'options', pointer: '/path' })
    })
  }

  it('are shown without what Postgres cannot keep', () => {
    expect(formatPointer(['a\0', '\ud83d', '😀'])).to.equal('/a\u2400/\ufffd/😀')
  })

  it('reads back whatever it writes', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (tokens) => {
        expect(parsePointer(formatPointer(tokens))).to.deep.equal(tokens)
      }),
    )
  })
})
