import { setImmediate as nextTurn } from 'node:timers/promises'

import { expect } from 'chai'

import { cellText } from '../../../../pipelines/core/batch.ts'
import { EngineError } from '../../../../pipelines/core/errors.ts'
import { DEFAULT_LIMITS, type EngineLimits } from '../../../../pipelines/core/limits.ts'
import type { PageShape } from '../../../../pipelines/core/source.ts'
import { SpareMemory } from '../../../../pipelines/readers/json/batch-memory.ts'
import { PageReader } from '../../../../pipelines/readers/records/page-reader.ts'
import type { PageRows } from '../../../../pipelines/readers/records/page-rows.ts'
import { RecordColumns } from '../../../../pipelines/readers/records/record-columns.ts'
import { rowsAsBatch } from '../../../../pipelines/readers/records/rows-as-batch.ts'

const ENVELOPE = { rows: 'items', values: 'values', beside: ['next', 'total'] } as const

function open(limits: Partial<EngineLimits> = {}, shape: PageShape = ENVELOPE) {
  const bounds = { ...DEFAULT_LIMITS, ...limits }
  const columns = new RecordColumns([{ key: 'q1', label: 'Nom' }], bounds)
  const reader = new PageReader(shape, columns.keys, bounds)
  const cellsOf = (page: PageRows): (string | null)[][] => {
    if (page.count === 0) return []
    columns.admit(page.keys)
    const stretch = { first: 0, count: page.count }
    const spare = new SpareMemory()
    const batch = rowsAsBatch(page, stretch, columns, { firstRow: 1, spare })
    return Array.from({ length: batch.rows }, (_, row) =>
      Array.from({ length: batch.width }, (__, column) => cellText(batch, row, column)),
    )
  }
  return {
    reader,
    async read(text: string | Buffer, pieceBytes = 7) {
      const bytes = Buffer.from(text)
      const pieces = Array.from({ length: Math.ceil(bytes.length / pieceBytes) }, (_, n) =>
        bytes.subarray(n * pieceBytes, (n + 1) * pieceBytes),
      )
      const { rows, beside } = await reader.read(pieces)
      return { page: rows, rows: cellsOf(rows), beside }
    },
  }
}

async function refusal(text: string | Buffer, limits: Partial<EngineLimits> = {}) {
  try {
    await open(limits).read(text)
  } catch (error) {
    if (error instanceof EngineError) return error
    throw error
  }
  throw new Error('the page was read')
}

describe('The reader of pages of records', () => {
  it('finds records, their values and other requested members in any order', async () => {
    const text = ` { "total" : 7 , "other": {"items": [{"values": {"q1": "no"}}]},
      "items" : [ {"uuid": "u", "values" : {"q1": "Zoé"}, "tags": [1, {"values": {}}]} , {"values":{}} ],
      "next": {"b": 1, "a": [null, "x\\n"]}, "more": "\\u0000" } `
    const { rows, beside } = await open().read(text)
    expect(rows).to.deep.equal([['Zoé'], [null]])
    expect(beside).to.deep.equal({ total: 7, next: { b: 1, a: [null, 'x\n'] } })
  })

  it('returns members beside the records with every character, storable or not', async () => {
    const next = 'a\0\ud800"é'
    const { beside } = await open().read(JSON.stringify({ items: [], next }))
    expect(beside).to.deep.equal({ next })
  })

  it('takes a page for the array, and a record for its values, where nothing else is said', async () => {
    const { rows, beside } = await open({}, {}).read('[{"q1":"a"},{"q2":"b"}]')
    expect(rows).to.deep.equal([
      ['a', null],
      [null, 'b'],
    ])
    expect(beside).to.deep.equal({})
  })

  it('reads keys that are written with escapes, and a byte order mark', async () => {
    const { rows } = await open().read(
      '\ufeff{"\\u0069tems":[{"v\\u0061lues":{"\\u00711":"a","é":1}}]}',
    )
    expect(rows).to.deep.equal([['a', '1']])
  })

  it('reads pages without records, and without members', async () => {
    expect((await open().read('{"items":[]}')).rows).to.deep.equal([])
    expect((await open().read('{"items":[ ],"total":0}')).beside).to.deep.equal({ total: 0 })
  })

  it('does not mix up pages that are read into the same memory', async () => {
    const { read, reader } = open()
    const long = JSON.stringify({ items: [{ values: { q1: 'é'.repeat(3000), q2: ['"', 'b'] } }] })
    const first = await read(long)
    const second = await read('{"items":[{"values":{"q1":"kept","q2":{"b":1,"a":"\\u00e9"}}}]}')
    reader.release(first.page)
    const third = await read('{"items":[{"values":{"q2":"new"}},{"values":{"q1":"x"}}]}')
    expect(third.page).to.equal(first.page)
    expect(first.rows).to.deep.equal([['é'.repeat(3000), '["\\"","b"]']])
    expect(second.rows).to.deep.equal([['kept', '{"a":"é","b":1}']])
    expect(third.rows).to.deep.equal([
      [null, 'new'],
      ['x', null],
    ])
  })

  it('does not keep the memory of a page that is far larger than others', async () => {
    const { read, reader } = open()
    const large = JSON.stringify({ items: [{ values: { q1: 'x'.repeat(5_000_000) } }] })
    const { page } = await read(large, 64 * 1024)
    reader.release(page)
    expect((await read('{"items":[]}')).page).to.not.equal(page)
  })

  it('leaves the event loop turns while it reads a large page', async () => {
    const records = Array.from({ length: 120_000 }, (_, n) => ({
      values: { q1: `n° ${n}`, q2: n },
    }))
    const reading = open().read(JSON.stringify({ items: records }), 64 * 1024)
    const over = reading.then(({ page }) => page.count)
    const turn = () => nextTurn().then(() => null)
    let turns = 0
    while ((await Promise.race([over, turn()])) === null) turns++
    expect(await over).to.equal(120_000)
    expect(turns).to.be.above(2)
  })

  for (const [what, text, message] of [
    ['text that is not UTF-8', Buffer.from([0x5b, 0x22, 0xff, 0x22, 0x5d]), /not UTF-8/],
    ['nothing', '', /expected an object but found the end of the input/],
    ['an array', '[]', /expected an object but found “\[”/],
    ['a page without the array', '{"total":1}', /there is no “items”/],
    ['a page with two of it', '{"items":[],"items":[]}', /“items” occurs twice/],
    ['records that are no array', '{"items":{}}', /expected an array of records/],
    ['a record that is none', '{"items":[{"values":{}},7]}', /row 2.* expected an object/],
    ['a record without values', '{"items":[{"value":{}}]}', /row 1.* no “values”/],
    ['a record with two', '{"items":[{"values":{},"values":{}}]}', /row 1.*twice/],
    ['values that are none', '{"items":[{"values":["a"]}]}', /row 1.*not an array/],
    ['values that are null', '{"items":[{"values":null}]}', /row 1.*not null/],
    ['a comma too many', '{"items":[{"values":{}},]}', /expected an object but found “\]”/],
    ['a member too few', '{"items":[],}', /expected a key/],
    ['something behind the page', '{"items":[]} {}', /expected the end/],
    ['a page that is cut off', '{"items":[{"values":{"q1":"a"', /row 1.* the end of the input/],
    ['a broken member that nobody reads', '{"x":[1,],"items":[]}', /expected a value/],
    ['a broken literal', '{"items":[{"values":{"q1":nul}}]}', /row 1.*null/],
  ] as const) {
    it(`refuses ${what}`, async () => {
      const { message: told, problem } = await refusal(text)
      expect(problem.kind).to.equal('structure')
      expect(told)
        .to.match(message)
        .and.to.match(/at byte \d+/)
    })
  }

  it('counts records over all pages, and names a column as the form does', async () => {
    const { read } = open({ cellBytes: 8, jsonDepth: 3 })
    await read('{"items":[{"values":{}},{"values":{}}]}')
    let told = ''
    await read('{"items":[{"values":{}},{"values":{"q1":"123456789"}}]}').catch((error: Error) => {
      told = error.message
    })
    expect(told).to.equal('Row 4: “Nom”: one value is longer than 8 bytes')
    const deep = await refusal('{"a":[[[[1]]]],"items":[]}', { jsonDepth: 3 })
    expect(deep.message).to.equal('Outside the rows: nested more than 3 deep')
  })
})
