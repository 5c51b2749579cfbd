import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'

import { expect } from 'chai'

import type { ByteSource } from '../../../pipelines/index.ts'
import { withinBudget } from '../../../src/domain/workflows/within-budget.ts'
import { until } from '../../support/patience.ts'

const never = new AbortController().signal

/** A source that counts what was taken from it, and knows whether it was closed. */
function countingSource(chunks: number) {
  const seen = { chunks: 0, closed: false }
  const source: ByteSource = {
    kind: 'bytes',
    name: 'a.csv',
    async open() {
      return Readable.from(
        (async function* () {
          try {
            for (; seen.chunks < chunks; seen.chunks++) yield Buffer.alloc(1000, 'x')
          } finally {
            seen.closed = true
          }
        })(),
        { highWaterMark: 1 },
      )
    },
  }
  return { source, seen }
}

const opened = ({ source }: ReturnType<typeof withinBudget>, signal = never) =>
  (source as ByteSource).open(signal)

describe('reading within a budget of bytes', () => {
  it('reads a source within the budget to its end', async () => {
    const look = withinBudget(countingSource(3).source, 3000)
    expect(await buffer(await opened(look))).to.have.length(3000)
    expect(look.isSpent()).to.equal(false)
    expect(look.source.name).to.equal('a.csv')
  })

  it('breaks off past it, says so, and closes the source', async () => {
    const { source, seen } = countingSource(1_000_000)
    const look = withinBudget(source, 50_000)
    const error = await buffer(await opened(look)).catch((reason: unknown) => reason)
    expect(error).to.be.instanceOf(Error)
    expect(look.isSpent()).to.equal(true)
    await until('it is closed', () => seen.closed)
    expect(seen.chunks).to.be.below(200)
  })

  it('lets the source go when the reader has seen enough', async () => {
    const { source, seen } = countingSource(1_000_000)
    const look = withinBudget(source, 1e9)
    for await (const _chunk of await opened(look)) break
    await until('it is closed', () => seen.closed)
    expect(look.isSpent()).to.equal(false)
  })

  it('passes on why the source broke', async () => {
    const broken = new Error('the line is cut')
    const source: ByteSource = {
      kind: 'bytes',
      open: async () =>
        new Readable({
          read() {
            this.destroy(broken)
          },
        }),
    }
    const look = withinBudget(source, 1000)
    expect(await buffer(await opened(look)).catch((reason: unknown) => reason)).to.equal(broken)
    expect(look.isSpent()).to.equal(false)
  })

  it('costs nothing when the file is local', () => {
    const source: ByteSource = { ...countingSource(1).source, path: '/tmp/a.csv' }
    expect(withinBudget(source, 1).source).to.equal(source)
  })
})
