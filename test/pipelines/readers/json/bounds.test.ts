import { Readable } from 'node:stream'

import { expect } from 'chai'

import { MiB } from '../../../../pipelines/index.ts'
import { EngineError } from '../../../../pipelines/core/errors.ts'
import type { ByteSource } from '../../../../pipelines/core/source.ts'
import { growthTenfold, IN_PROPORTION } from '../../../support/processor-time.ts'
import { bytesInPieces, openJson, readJson, refusalOf, type JsonCase } from './read-json.ts'

async function messageOf(text: string, given: JsonCase = {}): Promise<string> {
  return ((await refusalOf(text, given)) as Error).message
}

async function limitOf(text: string, given: JsonCase = {}): Promise<unknown> {
  const error = await refusalOf(text, given)
  if (!(error instanceof EngineError)) throw error
  return error.problem
}

describe('JSON reader: bounds', () => {
  for (const [name, text] of [
    ['arrays', (depth: number) => '['.repeat(depth)],
    ['arrays in a cell', (depth: number) => `[{"a":1},{"a":${'['.repeat(depth)}`],
    ['objects', (depth: number) => '{"a":'.repeat(depth)],
    [
      'objects beside the rows',
      (depth: number) => `{"rows":[{"a":1}],"z":${'{"a":'.repeat(depth)}`,
    ],
  ] as const) {
    it(`refuses ${name} nested 100,000 deep, in time in proportion to the depth`, async () => {
      expect(await limitOf(text(100_000))).to.include({ kind: 'limit', limit: 'jsonDepth' })
      expect(await growthTenfold((depth) => limitOf(text(depth)))).to.be.below(IN_PROPORTION)
    })
  }

  it('counts nesting from the document down: rows at depth 1', async () => {
    const limits = { jsonDepth: 4 }
    expect((await readJson(nested(3), { limits })).rows[1]).to.deep.equal(['[[[]]]'])
    expect(await limitOf(nested(4), { limits })).to.include({ limit: 'jsonDepth', row: 2, line: 2 })
  })

  it('refuses a value that is longer than a cell may be, and names its row', async () => {
    const limits = { cellBytes: 100 }
    const long = 'x'.repeat(101)
    for (const cell of [`"${long}"`, `"\\n${long}"`, `["${long}"]`, '1'.repeat(101)]) {
      const problem = await limitOf(`[{"a":1},\n{"a":${cell}}]`, { limits })
      expect(problem).to.deep.equal({ kind: 'limit', limit: 'cellBytes', row: 2, line: 2 })
      const message = await messageOf(`[{"a":1},\n{"a":${cell}}]`, { limits })
      expect(message).to.contain('Row 2 (line 2): “a”')
    }
    expect(await messageOf(`[{"a":1,"${long}":2}]`, { limits })).to.not.contain('“')
    expect((await readJson(`[{"a":"${'x'.repeat(100)}"}]`, { limits })).rows).to.have.length(1)
  })

  it('stops one endless string before it fills the memory', async () => {
    const source: ByteSource = {
      kind: 'bytes',
      open: () => Promise.resolve(Readable.from(endlessString())),
    }
    let error: unknown
    try {
      const reading = await openJson(source, { limits: { cellBytes: MiB } })
      while ((await reading.next()) !== null);
    } catch (caught) {
      error = caught
    }
    expect(error).to.be.instanceOf(EngineError).with.nested.property('problem.limit', 'cellBytes')
  })

  it('reads a row that is far larger than a step', async () => {
    const big = 'é'.repeat(MiB)
    const { rows, raw } = await readJson(`[{"a":"${big}"},{"a":"${big}\\n"},{"a":"z"}]`)
    expect(rows.map(([cell]) => cell)).to.deep.equal([big, `${big}\n`, 'z'])
    expect(raw[0]).to.have.length.below(MiB)
    expect(raw[2]).to.equal('{"a":"z"}')
  })

  it('refuses an object of more members than can be sorted at once, and names its row', async () => {
    const members = (count: number) =>
      Array.from({ length: count }, (_, k) => `"k${k}":0`).join(',')
    const row = (count: number) => `{"a":1}\n{"a":{${members(count)}}}`
    expect((await readJson(row(50_000))).rows).to.have.length(2)
    const problem = await limitOf(row(50_001))
    expect(problem).to.deep.equal({ kind: 'limit', limit: 'jsonMembers', row: 2, line: 2 })
  })

  it('refuses a long value in many objects that would all have to be written again', async () => {
    const long = (levels: number, text: string) =>
      `[{"a":${'{"z":'.repeat(levels)}"${text}"${',"a":1}'.repeat(levels)}}]`
    const limits = { cellBytes: 1000 }
    expect((await readJson(long(40, 'x'), { limits })).rows).to.have.length(1)
    expect((await readJson(long(5, 'x'.repeat(900)), { limits })).rows).to.have.length(1)
    const problem = await limitOf(long(40, 'x'.repeat(500)), { limits })
    expect(problem).to.deep.equal({ kind: 'limit', limit: 'jsonDepth', row: 1, line: 1 })
  })

  it('refuses more columns than a table holds', async () => {
    const rows = Array.from({ length: 12 }, (_, k) => `{"k${k}":${k}}`)
    const problem = await limitOf(rows.join('\n'), { limits: { columns: 10 } })
    expect(problem).to.deep.equal({ kind: 'limit', limit: 'columns', row: 11, line: 11 })
  })

  it('keeps batches of many columns and empty rows small', async () => {
    const wide = `{${Array.from({ length: 1500 }, (_, k) => `"k${k}":1`).join(',')}}`
    const source = bytesInPieces(Buffer.from(`[${wide}${',{}'.repeat(20_000)}]`), 64 * 1024)
    const reading = await openJson(source)
    let rows = 0
    for (let batch = await reading.next(); batch !== null; batch = await reading.next()) {
      expect(batch.start.length).to.be.at.most(300_000)
      rows += batch.rows
    }
    expect(rows).to.equal(20_001)
  })

  it('gives batches of a bounded size, each with the ordinal of its first row', async () => {
    const rows = Array.from({ length: 50_000 }, (_, k) => `{"id":${k},"name":"name ${k}"}`)
    const reading = await openJson(bytesInPieces(Buffer.from(rows.join('\n')), 10_000))
    let next = 1
    for (let batch = await reading.next(); batch !== null; batch = await reading.next()) {
      expect(batch.firstRow).to.equal(next)
      expect(batch.bytes.length).to.be.at.most(512 * 1024)
      next += batch.rows
    }
    expect(next).to.equal(50_001)
    await reading.close()
    await reading.close()
  })

  it('stops when it is told to', async () => {
    const stop = new AbortController()
    const reading = await openJson(bytesInPieces(Buffer.from('[{"a":1}]'), 9), {
      signal: stop.signal,
    })
    stop.abort()
    const error: unknown = await reading.next().catch((caught: unknown) => caught)
    expect(error).to.have.property('name', 'AbortError')
  })
})

function nested(depth: number): string {
  return `{"a":1}\n{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`
}

function* endlessString(): Generator<Buffer> {
  yield Buffer.from('[{"a":1},{"a":"')
  const piece = Buffer.alloc(64 * 1024, 'x')
  for (let sent = 0; sent < 100 * MiB; sent += piece.length) yield piece
  throw new Error('nobody stopped reading')
}
