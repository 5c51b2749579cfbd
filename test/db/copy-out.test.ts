import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setImmediate as nextTurn } from 'node:timers/promises'

import { expect } from 'chai'
import * as fc from 'fast-check'
import type { Connection } from 'pg'

import { CopyOut } from '../../src/db/copy-out.ts'

const message = (letter: string, content = Buffer.alloc(0)): Buffer => {
  const header = Buffer.alloc(5)
  header.write(letter, 'latin1')
  header.writeInt32BE(content.length + 4, 1)
  return Buffer.concat([header, content])
}

/** What a connection gets, cut anywhere; and what is left to it afterwards. */
async function copied(bytes: Buffer, cuts: readonly number[]) {
  const stream = new PassThrough()
  const rest: Buffer[] = []
  stream.on('data', (piece: Buffer) => rest.push(piece))
  const copy = new CopyOut('copy t to stdout')
  copy.submit({ stream, query: () => undefined } as unknown as Connection)
  const reading = buffer(copy)
  let from = 0
  for (const to of [
    ...cuts.map((cut) => cut % bytes.length).toSorted((a, b) => a - b),
    bytes.length,
  ]) {
    if (to > from) stream.write(Buffer.from(bytes.subarray(from, to)))
    from = to
  }
  return { data: await reading, rest: () => Buffer.concat(rest) }
}

describe('rows that COPY sends', () => {
  it('are put together wherever what comes is cut, and what follows is left to the connection', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 20 }),
        fc.array(fc.nat(), { maxLength: 20 }),
        async (rows, cuts) => {
          const data = rows.map((row) => Buffer.from(row))
          const after = Buffer.concat([message('C', Buffer.from('COPY 1\0')), message('Z')])
          const bytes = Buffer.concat([
            message('H', Buffer.from([0, 0, 0])),
            ...data.flatMap((row) => [message('d', row), message('N', Buffer.from('notice'))]),
            message('c'),
            after,
          ])
          const result = await copied(bytes, cuts)
          expect(result.data).to.deep.equal(Buffer.concat(data))
          await nextTurn()
          expect(result.rest()).to.deep.equal(after)
        },
      ),
    ))
})
