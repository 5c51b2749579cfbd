import { expect } from 'chai'

import { unquote } from '../../../../pipelines/readers/csv/unquote.ts'

function valueOf(field: string): string {
  const from = Buffer.from(`before${field}after`)
  const to = Buffer.alloc(from.length)
  const start = 'before'.length
  const end = from.length - 'after'.length
  return to.toString('utf8', 2, unquote(from, start, end, to, 2))
}

describe('the value of a quoted field', () => {
  const fields: [string, string][] = [
    ['"a"', 'a'],
    ['""', ''],
    ['""""', '"'],
    ['"a""b"', 'a"b'],
    ['"a"b', 'ab'],
    ['"a"b"c""', 'ab"c""'],
    ['"""a"" "', '"a" '],
    ['"open ""', 'open "'],
  ]
  for (const [field, value] of fields) {
    it(`of ${field} is ${value}, also where the field is long`, () => {
      expect(valueOf(field)).to.equal(value)
      const long = 'é'.repeat(5000)
      expect(valueOf(`"${long}${field.slice(1)}`)).to.equal(`${long}${value}`)
    })
  }
})
