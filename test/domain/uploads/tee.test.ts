import { PassThrough, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setImmediate as nextTurn } from 'node:timers/promises'

import { expect } from 'chai'

import { tee } from '../../../src/domain/uploads/read-while-storing.ts'

const CHUNK = Buffer.alloc(64 * 1024, 'x')
const never = new AbortController().signal

/** More than a hundred pieces would need that nobody holds up. */
async function manyTurns(): Promise<void> {
  for (let turn = 0; turn < 1_000; turn++) await nextTurn()
}

describe('a stream for two readers', () => {
  it('gives the same bytes to both, and ends the second when it was released', async () => {
    const released = Promise.withResolvers<void>()
    const branches = tee(Readable.from([CHUNK, CHUNK]), () => released.promise, never)
    const second = buffer(branches.second)
    expect(await buffer(branches.first)).to.have.length(2 * CHUNK.length)
    let hasEnded = false
    branches.second.once('end', () => (hasEnded = true))
    await manyTurns()
    expect(hasEnded).to.equal(false)
    released.resolve()
    expect(await second).to.have.length(2 * CHUNK.length)
    await branches.done
  })

  it('waits for the slower of them', async () => {
    let given = 0
    const source = Readable.from(
      (function* () {
        for (; given < 100; given++) yield CHUNK
      })(),
    )
    const branches = tee(source, async () => undefined, never)
    branches.first.resume()
    await manyTurns()
    expect(given).to.be.lessThan(40)
    branches.second.resume()
    await branches.done
    expect(given).to.equal(100)
  })

  it('goes on with the first when the second is no longer read', async () => {
    const branches = tee(Readable.from([CHUNK, CHUNK, CHUNK]), async () => undefined, never)
    branches.second.destroy()
    expect(await buffer(branches.first)).to.have.length(3 * CHUNK.length)
    await branches.done
  })

  it('breaks both branches when the source breaks or when it is told to stop', async () => {
    const stop = new AbortController()
    const breakers: readonly [string, (source: PassThrough, first: Readable) => void][] = [
      ['source', (source) => source.destroy(new Error('source'))],
      ['stop', () => stop.abort(new Error('stop'))],
    ]
    for (const [name, breakIt] of breakers) {
      const source = new PassThrough()
      const branches = tee(source, async () => undefined, name === 'stop' ? stop.signal : never)
      source.write(CHUNK)
      breakIt(source, branches.first)
      const failure = await branches.done.catch((error: Error) => error.message)
      expect(failure).to.equal(name)
      expect(branches.first.destroyed && branches.second.destroyed && source.destroyed).to.equal(
        true,
      )
    }
  })

  it('says why the first branch was given up', async () => {
    const source = new PassThrough()
    const release = () => Promise.reject(new Error('the store is full'))
    const branches = tee(source, release, never)
    branches.second.resume()
    branches.first.destroy()
    source.end(CHUNK)
    const failure = await branches.done.catch((error: Error) => error.message)
    expect(failure).to.equal('the store is full')
  })
})
