import { expect } from 'chai'

import { safeContentType } from '../../src/storage/content-type.ts'

describe('safeContentType', () => {
  for (const type of [
    'text/csv',
    'text/plain; charset=utf-8',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    'multipart/mixed; boundary="a b"',
  ]) {
    it(`keeps ${type}`, () => expect(safeContentType(type)).to.equal(type))
  }

  for (const type of [
    undefined,
    '',
    'text',
    'text/',
    'text/csv\r\nX: 1',
    'text/é',
    'a b/c',
    `a/${'b'.repeat(300)}`,
  ]) {
    it(`does not pass on ${JSON.stringify(type)?.slice(0, 40)}`, () => {
      expect(safeContentType(type)).to.equal('application/octet-stream')
    })
  }
})
