import { expect } from 'chai'
import * as fc from 'fast-check'
import { decompressSnappy } from 'hyparquet-compressors'

import { Snappy } from '../../../../src/domain/tables/export/snappy.ts'

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
