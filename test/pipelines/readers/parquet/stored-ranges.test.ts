import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { expect } from 'chai'

import { type ByteSource, createEngine, type Preview } from '../../../../pipelines/index.ts'
import { StoredStretches } from '../../../../pipelines/input/flows/stored-stretches.ts'
import { inChunks } from '../../../contracts/reader.ts'
import { patience } from '../../../support/patience.ts'
import { useFolder } from '../../../support/folder.ts'

const types = readFileSync(join(import.meta.dirname, '../../../fixtures/parquet/types.parquet'))

/** Bytes that are stored elsewhere, and what was asked of them. */
function stored(bytes: Buffer) {
  const asked: [from: number, to: number][] = []
  return {
    asked,
    kind: 'bytes' as const,
    size: bytes.length,
    open: async () => inChunks(bytes, 1000),
    async openRange(from: number, to: number) {
      asked.push([from, to])
      return inChunks(bytes.subarray(from, to), 1000)
    },
  }
}

describe('Parquet that is stored elsewhere', () => {
  const tempDir = useFolder('stretches')
  afterEach(async () => {
    expect(await readdir(tempDir.path)).to.deep.equal([])
  })

  const preview = (source: ByteSource): Promise<Preview> =>
    createEngine({ tempDir: tempDir.path }).preview(source, {}, { limit: 100, signal: patience() })

  it('is read by ranges: its end, then its row groups, and not as a whole', async () => {
    const source = stored(types)
    const seen = await preview(source)
    const copied = await preview({ kind: 'bytes', open: source.open })
    expect(seen.rows).to.deep.equal(copied.rows)
    expect(seen.columns).to.deep.equal(copied.columns)
    const [tail, footer, ...groups] = source.asked
    expect(tail).to.deep.equal([types.length - 8, types.length])
    expect(footer![1]).to.equal(types.length - 8)
    expect(groups).to.have.length(1)
    expect(groups[0]![1]).to.be.at.most(footer![0])
  })

  it('is brought a stretch at a time, and whole where the same bytes are wanted too often', async () => {
    const source = stored(types)
    const stretches = new StoredStretches(source, tempDir.path, patience())
    const holds = async (from: number, to: number) =>
      expect((await stretches.read(from, to - from)).equals(types.subarray(from, to))).to.equal(
        true,
      )
    const half = types.length >> 1
    await stretches.bring(0, half)
    await holds(10, half)
    await stretches.bring(20, half)
    await stretches.bring(half, types.length)
    await holds(half, types.length)
    expect(source.asked).to.deep.equal([
      [0, half],
      [half, types.length],
    ])
    await holds(0, 10)
    expect(source.asked.splice(0)).to.have.length(3)
    await stretches.bring(0, types.length - 1)
    await stretches.bring(1, types.length)
    await stretches.bring(0, half)
    expect(source.asked).to.deep.equal([
      [0, types.length - 1],
      [0, types.length],
    ])
    expect((await stretches.read(types.length - 3, 10)).length).to.equal(3)
    await stretches.close()
  })

  it('ends with what went wrong where a range cannot be had', async () => {
    const fault = new Error('away')
    const source = { ...stored(types), openRange: () => Promise.reject(fault) }
    const failure = await preview(source).then(
      () => null,
      (error: unknown) => error,
    )
    expect(failure).to.equal(fault)
  })
})
