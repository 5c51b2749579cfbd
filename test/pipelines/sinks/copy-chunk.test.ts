import { expect } from 'chai'

import { CopyChunk } from '../../../pipelines/sinks/copy-lanes.ts'

const KiB = 1024

/** As the caster does it: rows go in until the open message has enough. */
function fill(chunk: CopyChunk, rows: readonly Buffer[]): void {
  let end = chunk.openMessage()
  for (const row of rows) {
    if (chunk.length >= end) end = chunk.openMessage()
    chunk.reserve(row.length)
    row.copy(chunk.bytes, chunk.length)
    chunk.length += row.length
  }
}

/** The messages as the server takes them apart. */
function messagesOf(bytes: Buffer): Buffer[] {
  const messages: Buffer[] = []
  for (let at = 0; at < bytes.length;) {
    expect(String.fromCharCode(bytes[at]!)).to.equal('d')
    const length = bytes.readInt32BE(at + 1)
    messages.push(bytes.subarray(at + 5, at + 1 + length))
    at += 1 + length
  }
  return messages
}

const rowsOf = (count: number, bytes: number): Buffer[] =>
  Array.from({ length: count }, (_, row) => Buffer.alloc(bytes, row + 1))

describe('a chunk of encoded rows', () => {
  it('is sent as messages of whole rows, each past 16 KiB by a row at most', () => {
    const rows = rowsOf(40, 3000)
    const chunk = new CopyChunk()
    fill(chunk, rows)

    const messages = messagesOf(chunk.close())

    expect(Buffer.concat(messages)).to.deep.equal(Buffer.concat(rows))
    expect(messages.map(({ length }) => length)).to.deep.equal([
      ...Array.from({ length: 6 }, () => 18_000),
      12_000,
    ])
  })

  it('holds a row of any size in a message of its own', () => {
    const rows = [...rowsOf(6, 3000), Buffer.alloc(300 * KiB, 'x'), Buffer.alloc(10, 'y')]
    const chunk = new CopyChunk()
    fill(chunk, rows)

    const lengths = messagesOf(chunk.close()).map(({ length }) => length)

    expect(lengths).to.deep.equal([18_000, 300 * KiB, 10])
  })

  it('begins anew once it is cleared', () => {
    const chunk = new CopyChunk()
    fill(chunk, rowsOf(40, 3000))
    chunk.close()
    chunk.clear()
    expect(chunk.isEmpty).to.equal(true)
    fill(chunk, [Buffer.from('row')])

    expect(messagesOf(chunk.close()).map(String)).to.deep.equal(['row'])
  })
})
