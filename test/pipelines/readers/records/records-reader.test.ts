import { expect } from 'chai'

import { CellKind } from '../../../../pipelines/core/batch.ts'
import { EngineError } from '../../../../pipelines/core/errors.ts'
import { DEFAULT_LIMITS, type EngineLimits } from '../../../../pipelines/core/limits.ts'
import type { RecordColumn, RecordSource } from '../../../../pipelines/core/source.ts'
import { OpenReading } from '../../../../pipelines/engine/open-reading.ts'
import { RECORDS } from '../../../../pipelines/engine/input-kinds.ts'
import { openRecords } from '../../../../pipelines/readers/records/open-records.ts'
import { readTable, type Table } from '../json/read-json.ts'

/** As objects, or as the JSON that came in. */
type Records = readonly unknown[] | string

interface Given {
  readonly columns?: readonly RecordColumn[]
  readonly limits?: Partial<EngineLimits>
  readonly signal?: AbortSignal
  onPage?(page: number): void
}

function open(pages: readonly Records[], given: Given = {}): OpenReading {
  return openSource(
    {
      kind: 'records',
      columns: given.columns ?? [],
      async *pages() {
        for (const [page, records] of pages.entries()) {
          given.onPage?.(page)
          const text = typeof records === 'string' ? records : JSON.stringify(records)
          yield [Buffer.from(text)]
        }
      },
    },
    given,
  )
}

function openSource(source: RecordSource, { limits, signal }: Given = {}): OpenReading {
  const reading = openRecords(source, {
    options: {},
    limits: { ...DEFAULT_LIMITS, ...limits },
    tempDir: '',
    signal: signal ?? new AbortController().signal,
  })
  return new OpenReading(reading, RECORDS, null, [])
}

async function read(pages: readonly Records[], given: Given = {}): Promise<Table> {
  return readTable(open(pages, given))
}

async function refusal(pages: readonly Records[], given: Given = {}): Promise<EngineError> {
  try {
    await read(pages, given)
  } catch (error) {
    if (error instanceof EngineError) return error
    throw error
  }
  throw new Error('the records were read without an error')
}

const column = (key: string, label: string | null = key): RecordColumn => ({ key, label })

describe('Records reader', () => {
  it('keeps the order and labels of the form, whatever the records hold', async () => {
    const columns = [column('q2', 'Ville'), column('q1', 'Nom'), column('q3', null)]
    const { headers, rows, report } = await read([[{ q1: 'Ada', q2: 'Paris' }, {}]], { columns })
    expect(headers).to.deep.equal(['Ville', 'Nom', null])
    expect(rows).to.deep.equal([
      ['Paris', 'Ada', null],
      [null, null, null],
    ])
    expect(report.format).to.equal('records')
  })

  it('copies the value of a key to every column that has it', async () => {
    const columns = [column('q', 'A'), column('q', 'B')]
    const { rows } = await read([[{ q: 'x' }]], { columns })
    expect(rows).to.deep.equal([['x', 'x']])
  })

  it('adds keys that the form does not know, in the order in which they appear', async () => {
    const { headers, rows } = await read(
      [[{ a: 1 }], [{ late: 2, a: 3 }, { later: 4 }], [{ late: 5 }]],
      { columns: [column('a', 'A')] },
    )
    expect(headers).to.deep.equal(['A', 'late', 'later'])
    expect(rows).to.deep.equal([
      ['1', null, null],
      ['3', '2', null],
      [null, null, '4'],
      [null, '5', null],
    ])
  })

  it('gives every kind of value its canonical text', async () => {
    const values: readonly [string, string | null, number][] = [
      ['"text é😀"', 'text é😀', CellKind.text],
      ['"\\u00e9\\n\\/"', 'é\n/', CellKind.text],
      ['""', '', CellKind.text],
      ['1.5', '1.5', CellKind.number],
      ['1.50', '1.50', CellKind.number],
      ['-0', '0', CellKind.number],
      ['1e21', '1000000000000000000000', CellKind.number],
      ['5E-7', '0.0000005', CellKind.number],
      ['12345678901234567890', '12345678901234567890', CellKind.number],
      ['0.1234567890123456789', '0.1234567890123456789', CellKind.number],
      ['1e400', `1${'0'.repeat(400)}`, CellKind.number],
      ['1e4000', '1e4000', CellKind.text],
      ['true', 'true', CellKind.boolean],
      ['["b","a"]', '["b","a"]', CellKind.json],
      ['{"z": 1, "a": {"d": 1, "c": 2}}', '{"a":{"c":2,"d":1},"z":1}', CellKind.json],
      ['null', null, CellKind.text],
    ]
    const { rows, kinds } = await read([`[${values.map(([v]) => `{"v": ${v}}`).join(' , ')}]`])
    expect(rows.map(([cell]) => cell)).to.deep.equal(values.map(([, text]) => text))
    expect(kinds.map(Number)).to.deep.equal(values.map(([, , kind]) => kind))
  })

  it('takes the last of duplicate keys, null and attached files included', async () => {
    const file = '{"id":1,"name":"a","size":3,"id":2,"name":"b"}'
    const { raw, rows } = await read([`[{"a":1,"b":2,"a":null,"b":3,"c":${file}}]`])
    expect(rows).to.deep.equal([[null, '3', '{"id":2,"name":"b"}']])
    expect(raw).to.deep.equal(['{"b":3,"c":{"id":2,"name":"b"}}'])
  })

  it('keeps attached files by id and name, alone, in a list or deeper', async () => {
    const file = { url: 'https://x/?sig=1', size: 3, name: 'cv.pdf', id: 'f1' }
    const group = [{ who: 'Ada', cv: [file] }]
    const other = { id: 1, name: 'n', x: 2 }
    const { rows } = await read([[{ one: file, many: [file], group, other }]])
    const kept = '{"id":"f1","name":"cv.pdf"}'
    expect(rows).to.deep.equal([
      [kept, `[${kept}]`, `[{"cv":[${kept}],"who":"Ada"}]`, '{"id":1,"name":"n","x":2}'],
    ])
  })

  it('keeps a record with the keys of an attached file as a row', async () => {
    const { raw, rows } = await read([[{ id: 1, name: 'n', size: 2, color: 'x' }]])
    expect(rows).to.deep.equal([['1', 'n', '2', 'x']])
    expect(raw).to.deep.equal(['{"color":"x","id":1,"name":"n","size":2}'])
  })

  it('takes __proto__ and its kin as ordinary keys, and nothing that is inherited', async () => {
    const columns = [column('toString')]
    const { headers, rows } = await read(['[{"__proto__":1,"constructor":"c"},{}]'], { columns })
    expect(headers).to.deep.equal(['toString', '__proto__', 'constructor'])
    expect(rows).to.deep.equal([
      [null, '1', 'c'],
      [null, null, null],
    ])
  })

  it('gives a null no length in any row of the page', async () => {
    const reading = open([`[${' '.repeat(500)}{"a":"x","b":1},{"b":null,"a":null}]`])
    const { end, start } = (await reading.next())!
    const lengths = Array.from(end, (to, cell) => to - start[cell]!)
    expect(lengths.map((length) => Math.max(0, length))).to.deep.equal([1, 1, 0, 0])
    await reading.close()
  })

  it('marks rows with text that cannot be stored, and reads the others', async () => {
    const { faults, rows } = await read([
      [{ a: 'x\0' }, { a: 'ok' }, { a: { b: '\ud800' } }, { a: '\udc00' }],
    ])
    expect(Object.keys(faults)).to.deep.equal(['1', '3', '4'])
    expect(faults[1]).to.contain('“a”').and.to.contain('NUL')
    expect(rows[1]).to.deep.equal(['ok'])
  })

  it('asks for a page only when the one before it was taken', async () => {
    const asked: number[] = []
    const reading = open([[{ a: 1 }], [], [{ a: 2 }]], { onPage: (page) => asked.push(page) })
    expect(asked).to.deep.equal([])
    expect((await reading.next())?.firstRow).to.equal(1)
    expect(asked).to.deep.equal([0])
    expect((await reading.next())?.firstRow).to.equal(2)
    expect(asked).to.deep.equal([0, 1, 2])
    expect(await reading.next()).to.equal(null)
    await reading.close()
  })

  it('splits a large page into batches that stay small', async () => {
    const records = Array.from({ length: 5000 }, (_, k) => ({ id: k, text: 'x'.repeat(1000) }))
    const reading = open([records])
    let rows = 0
    for (let batch = await reading.next(); batch !== null; batch = await reading.next()) {
      expect(batch.bytes.length).to.be.below(512 * 1024)
      expect(batch.firstRow).to.equal(rows + 1)
      rows += batch.rows
    }
    expect(rows).to.equal(5000)
  })

  it('tells of broken rows in the batch that they are in', async () => {
    const wide = `"b":{${Array.from({ length: 1500 }, (_, k) => `"k${k}":1`).join(',')}}`
    const columns = Array.from({ length: 1500 }, (_, k) => column(`k${k}`))
    const records = Array.from({ length: 400 }, (_, row) =>
      row % 3 === 0 ? `{"k1":"\\u0000","k2":"\\ud800"}` : `{"k1":"\\u00e9${row}",${wide}}`,
    )
    const { batches, faults, rows } = await read([`[${records.join(',')}]`], { columns })
    expect(batches).to.be.above(5)
    expect(Object.keys(faults).map(Number)).to.deep.equal(
      Array.from({ length: 134 }, (_, n) => 3 * n + 1),
    )
    for (const message of Object.values(faults)) expect(message).to.contain('“k1”')
    expect(rows[1]![1]).to.equal('é1')
    expect(rows[398]![1]).to.equal('é398')
  })

  it('shows a row as canonical JSON, under the headers of the table', async () => {
    const columns = [column('q1', 'Nom'), column('q2', null), column('q3', 'Nom')]
    const file = { id: 1, name: 'a.pdf', url: 'https://files.example/1?signature=x' }
    const { raw } = await read([[{ q3: 'x', q2: [file], q1: 'y' }, {}], [{ ['__proto__']: 2 }]], {
      columns,
    })
    expect(raw).to.deep.equal([
      '{"Nom":"y","Nom_2":"x","Sans titre 1":[{"id":1,"name":"a.pdf"}]}',
      '{}',
      '{"__proto__":2}',
    ])
  })

  it('reports what a page held when the next one is requested', async () => {
    const found: unknown[] = []
    const reading = openSource({
      kind: 'records',
      columns: [],
      shape: { rows: 'items', beside: ['more'] },
      async *pages() {
        found.push(yield [Buffer.from('{"items":[{"a":1},{"a":2}],"more":true}')])
        found.push(yield [Buffer.from('{"items":[],"other":1}')])
      },
    })
    expect((await reading.next())?.rows).to.equal(2)
    expect(found).to.deep.equal([])
    expect(await reading.next()).to.equal(null)
    expect(found).to.deep.equal([
      { rows: 2, beside: { more: true } },
      { rows: 0, beside: {} },
    ])
    await reading.close()
  })

  it('passes the reason why a page cannot be read to its source, which may replace the message', async () => {
    for (const [translate, message] of [
      [(error: Error) => new Error(`the form: ${error.message}`), /^the form: Malformed JSON/],
      [(error: Error) => error, /^Malformed JSON/],
      [null, /^Malformed JSON/],
    ] as const) {
      const reading = openSource({
        kind: 'records',
        columns: [],
        async *pages() {
          try {
            yield [Buffer.from('{')]
          } catch (error) {
            if (translate !== null) throw translate(error as Error)
          }
        },
      })
      const error = await reading.next().catch((caught: unknown) => caught)
      expect((error as Error).message).to.match(message)
      await reading.close()
    }
  })

  it('ends the pages when it is closed early', async () => {
    let isFreed = false
    const reading = openSource({
      kind: 'records',
      columns: [],
      async *pages() {
        try {
          for (;;) yield [Buffer.from('[{"a":1}]')]
        } finally {
          isFreed = true
        }
      },
    })
    await reading.next()
    await reading.close()
    await reading.close()
    expect(isFreed).to.equal(true)
  })

  it('refuses what no table can hold, and says where', async () => {
    const cell = await refusal([[{ a: 1 }, { a: 'x'.repeat(11) }]], { limits: { cellBytes: 10 } })
    expect(cell.problem).to.deep.equal({ kind: 'limit', limit: 'cellBytes', row: 2 })
    expect(cell.message).to.contain('Row 2: “a”')
    const deep = await refusal([[{ a: [[[1]]] }]], { limits: { jsonDepth: 3 } })
    expect(deep.problem).to.deep.equal({ kind: 'limit', limit: 'jsonDepth', row: 1 })
    const wide = await refusal([[{ a: 1, b: 2, c: 3 }]], { limits: { columns: 2 } })
    expect(wide.problem).to.deep.equal({ kind: 'limit', limit: 'columns', row: 1 })
    const columns = [column('a'), column('b'), column('c')]
    const wider = await refusal([], { columns, limits: { columns: 2 } })
    expect(wider.problem).to.deep.equal({ kind: 'limit', limit: 'columns' })
    const shared = [column('a', 'A'), column('a', 'B')]
    const late = await refusal([[{ a: 1 }, { b: 2 }]], { columns: shared, limits: { columns: 2 } })
    expect(late.problem).to.deep.equal({ kind: 'limit', limit: 'columns' })
    expect((await refusal([[{}]])).problem).to.deep.equal({ kind: 'empty' })
  })

  it('refuses a record of far more members than columns', async () => {
    const record = (members: number) => `[{${'"a":1,'.repeat(members - 1)}"a":2}]`
    expect((await read([record(50_000)])).rows).to.deep.equal([['2']])
    const { problem } = await refusal([record(50_001)])
    expect(problem).to.deep.equal({ kind: 'limit', limit: 'jsonMembers', row: 1 })
  })

  it('refuses numbers that would take many times the memory of their page', async () => {
    const { problem } = await refusal([`[${'{"a":1e900},'.repeat(150_000)}{}]`])
    expect(problem).to.deep.include({ kind: 'limit', limit: 'expandedValues' })
  })

  it('makes an empty table of a form without records', async () => {
    const { headers, rows } = await read([], { columns: [column('a', 'A')] })
    expect(headers).to.deep.equal(['A'])
    expect(rows).to.deep.equal([])
  })
})
