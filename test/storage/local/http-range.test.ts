import { expect } from 'chai'

import {
  chooseRange,
  noneMatchNames,
  rangeStillApplies,
} from '../../../src/storage/local/http-range.ts'

const part = (start: number, end: number) => ({ kind: 'part', start, end })
const WHOLE = { kind: 'whole' }
const UNSATISFIABLE = { kind: 'unsatisfiable' }

describe('chooseRange', () => {
  for (const [header, sizeBytes, expected] of [
    [undefined, 10, WHOLE],
    ['bytes=0-', 10, part(0, 9)],
    ['bytes=0-0', 10, part(0, 0)],
    ['bytes=3-5', 10, part(3, 5)],
    ['bytes=3-500', 10, part(3, 9)],
    ['BYTES=3-5', 10, part(3, 5)],
    ['bytes= 3-5 ', 10, part(3, 5)],
    ['bytes=-4', 10, part(6, 9)],
    ['bytes=-40', 10, part(0, 9)],
    ['bytes=5000000000-', 6_000_000_000, part(5_000_000_000, 5_999_999_999)],
    ['bytes=10-', 10, UNSATISFIABLE],
    ['bytes=0-', 0, UNSATISFIABLE],
    ['bytes=-0', 10, UNSATISFIABLE],
    ['bytes=-5', 0, UNSATISFIABLE],
    ['bytes=5-3', 10, WHOLE],
    ['bytes=-', 10, WHOLE],
    ['bytes=a-b', 10, WHOLE],
    ['bytes=0-1,3-4', 10, WHOLE],
    ['lines=0-1', 10, WHOLE],
    ['bytes=3-9223372036854775807', 10, part(3, 9)],
    [`bytes=${'9'.repeat(400)}-`, 10, UNSATISFIABLE],
  ] as const) {
    it(`reads ${header} of ${sizeBytes} bytes`, () => {
      expect(chooseRange(header, sizeBytes)).to.deep.equal(expected)
    })
  }
})

describe('conditions on a download', () => {
  const present = { etag: '"abc"', lastModified: new Date('2026-01-02T03:04:05.678Z') }

  for (const [ifRange, applies] of [
    [undefined, true],
    ['"abc"', true],
    ['Fri, 02 Jan 2026 03:04:05 GMT', true],
    ['"abd"', false],
    ['W/"abc"', false],
    ['Fri, 02 Jan 2026 03:04:06 GMT', false],
    ['nonsense', false],
  ] as const) {
    it(`resumes under If-Range ${ifRange}: ${applies}`, () => {
      expect(rangeStillApplies(ifRange, present)).to.equal(applies)
    })
  }

  for (const [ifNoneMatch, matches] of [
    [undefined, false],
    ['"abc"', true],
    ['W/"abc"', true],
    ['"x", "abc"', true],
    ['*', true],
    ['"x"', false],
  ] as const) {
    it(`has not changed under If-None-Match ${ifNoneMatch}: ${matches}`, () => {
      expect(noneMatchNames(ifNoneMatch, present.etag)).to.equal(matches)
    })
  }
})
