import { expect } from 'chai'
import * as fc from 'fast-check'
import { decompressSnappy } from 'hyparquet-compressors'

import { expandSnappy } from '../../../pipelines/readers/parquet/pages/expand-snappy.ts'
import { Snappy } from '../../../src/stack/export/snappy.ts'

/** Pieces that come again, near and far, between bytes that do not. */
const content = fc
  .array(
    fc.oneof(
      fc.uint8Array({ maxLength: 80 }),
      fc
        .tuple(fc.uint8Array({ minLength: 1, maxLength: 12 }), fc.integer({ min: 1, max: 6000 }))
        .map(([piece, times]) => Buffer.alloc(piece.length * times, piece)),
    ),
    { maxLength: 12 },
  )
  .map((pieces) => Buffer.concat([...pieces, ...pieces.toReversed()]))

describe('what is compressed with Snappy', () => {
  const snappy = new Snappy()
  const roundTrip = (bytes: Uint8Array) => decompressSnappy(snappy.compress(bytes), bytes.length)

  it('is the same when another program has expanded it', () => {
    fc.assert(
      fc.property(content, (bytes) => {
        expect(bytes.equals(roundTrip(bytes))).to.equal(true)
      }),
      { numRuns: 60 },
    )
  })

  it('is the same when our reader has expanded it, which refuses it where it is cut or its length is another', () => {
    fc.assert(
      fc.property(content, fc.nat(), (bytes, place) => {
        const compressed = Buffer.from(snappy.compress(bytes))
        expect(expandSnappy(compressed, bytes.length).equals(bytes)).to.equal(true)
        const cut = compressed.subarray(0, place % compressed.length)
        if (bytes.length > 0) expect(() => expandSnappy(cut, bytes.length)).to.throw(RangeError)
        expect(() => expandSnappy(compressed, bytes.length + 1)).to.throw(RangeError)
      }),
      { numRuns: 60 },
    )
  })

  it('is small where texts are alike, and hardly longer where nothing is', () => {
    const alike = Buffer.from(
      Array.from({ length: 5000 }, (_, row) => `client.${row}@example.test`).join('\n'),
    )
    expect(snappy.compress(alike).length).to.be.below(alike.length / 2)
    const noise = Buffer.from(
      Uint32Array.from({ length: 50_000 }, (_, at) => Math.imul(at ^ (at << 13), 0x9e37_79b1)),
    )
    expect(Buffer.from(roundTrip(noise)).equals(noise)).to.equal(true)
    expect(snappy.compress(noise).length).to.be.below(1.01 * noise.length)
  })
})
