import { expect } from 'chai'

import { DEFAULT_LIMITS } from '../../../../pipelines/core/limits.ts'
import type { ByteFlow } from '../../../../pipelines/core/input.ts'
import { GeneralRows } from '../../../../pipelines/readers/csv/general-rows.ts'
import { turnsDuring } from '../../../support/turns.ts'

describe('rows of the general reader', () => {
  const dialect = { delimiter: '||', quote: '"', escape: '"', isSpaced: false }

  /** The text again and again, and how deep the calls were in which it was asked for. */
  function flowOf(text: string, times: number): ByteFlow & { readonly depths: number[] } {
    const depths: number[] = []
    const bytes = Buffer.from(text)
    return {
      depths,
      async next() {
        depths.push(callDepth())
        return depths.length > times ? null : bytes
      },
      close: async () => undefined,
    }
  }

  async function countRows(rows: GeneralRows): Promise<number> {
    let count = 0
    for (let found = await rows.take(); found; found = await rows.take()) count += found.length
    return count
  }

  it('are read to the end of a long file without deeper and deeper calls', async () => {
    const flow = flowOf('one||two\n'.repeat(20_000), 20)
    expect(await countRows(new GeneralRows(flow, dialect, DEFAULT_LIMITS))).to.equal(400_000)
    expect(flow.depths.at(-1)).to.equal(flow.depths[1])
  })

  it('go on behind a quote that is never closed, with the bytes that were read already', async () => {
    const flow = flowOf(`"open||two\n${'one||two\n'.repeat(20_000)}`, 1)
    const rows = new GeneralRows(flow, dialect, { ...DEFAULT_LIMITS, cellBytes: 50_000 })
    expect(await countRows(rows)).to.equal(20_001)
  })

  it('leave the event loop turns while a row of many megabytes comes in', async () => {
    const rows = new GeneralRows(flowOf(`"open||1\n${'one||two\n'.repeat(400_000)}`, 1), dialect, {
      ...DEFAULT_LIMITS,
      cellBytes: 1024 * 1024,
    })
    let found: Awaited<ReturnType<typeof rows.take>> = null
    const turns = await turnsDuring(async () => {
      found = await rows.take()
    })
    expect(found![0]!.fault).to.deep.include({ line: 1 })
    expect(turns).to.be.at.least(10)
  })

  it("break at a quote that is not closed within a row's length, however much of the file has come in", async () => {
    const text = '"open||1\n' + 'one||two\n'.repeat(10) + '"again||2\nlast||3\n'
    const told = []
    for (const length of [1, 7, text.length]) {
      const pieces = text
        .match(new RegExp(`[^]{1,${length}}`, 'g'))!
        .map((piece) => Buffer.from(piece))
      const flow = { next: async () => pieces.shift() ?? null, close: async () => undefined }
      const rows = new GeneralRows(flow, dialect, { ...DEFAULT_LIMITS, cellBytes: 30 })
      const lines = []
      for (let found = await rows.take(); found; found = await rows.take()) {
        lines.push(...found.map(({ cells, fault }) => `${cells.join(' ')}${fault ? ' open' : ''}`))
      }
      told.push(lines)
    }
    const between = Array<string>(10).fill('one two')
    const expected = ['open||1 open', ...between, 'again||2 open', 'last 3']
    expect(told).to.deep.equal([expected, expected, expected])
  })
})

function callDepth(): number {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = Infinity
  const depth = new Error('only for its stack').stack!.split('\n').length
  Error.stackTraceLimit = limit
  return depth
}
