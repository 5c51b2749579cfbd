import { expect } from 'chai'

import { CellKind } from '../../../../pipelines/core/batch.ts'
import { readJson } from './read-json.ts'

describe('JSON reader: where the rows are', () => {
  it('takes the elements of an array', async () => {
    const { headers, rows, report } = await readJson('[{"a":1,"b":"x"},{"a":2,"b":"y"}]')
    expect(headers).to.deep.equal(['a', 'b'])
    expect(rows).to.deep.equal([
      ['1', 'x'],
      ['2', 'y'],
    ])
    expect(report.dialect).to.include({ layout: 'array of objects', path: '' })
  })

  for (const [name, separator] of [
    ['line feeds', '\n'],
    ['CRLF', '\r\n'],
    ['nothing', ''],
    ['blank lines', '\n\n \n'],
  ] as const) {
    it(`takes objects with ${name} between them`, async () => {
      const { rows, report } = await readJson(['{"a":1}', '{"a":2}', '{"a":3}'].join(separator))
      expect(rows).to.deep.equal([['1'], ['2'], ['3']])
      expect(report.dialect).to.include({ layout: 'objects in sequence' })
    })
  }

  it('takes strings of escapes whole, wherever the pieces end in which they come', async () => {
    for (const unit of [
      String.raw`\ud83d\ude00`,
      String.raw`\\ud83d\ude00`,
      String.raw`\ud83dx`,
      String.raw`é\u00e9\n`,
    ]) {
      for (let before = 0; before < 12; before++) {
        const text = `${'x'.repeat(before)}${unit.repeat(50_000)}`
        const { rows, faults } = await readJson(`[{"a":"${text}","b":"${unit}"}]`)
        const whole = (JSON.parse(`"${text}"`) as string).toWellFormed()
        expect(rows[0]![0] === whole, `${unit} after ${before}`).to.equal(true)
        expect(Object.keys(faults)).to.have.length(/\\ud83dx|\\\\ud83d/.test(unit) ? 1 : 0)
      }
    }
  })

  it('takes newline-delimited rows that hold arrays of objects as rows', async () => {
    const { headers, rows } = await readJson('{"a":[{"b":1}]}\n{"a":[]}\n')
    expect(headers).to.deep.equal(['a'])
    expect(rows).to.deep.equal([['[{"b":1}]'], ['[]']])
  })

  it('takes the array nearest to the root, of equals the first', async () => {
    const text = '{"meta":{"tags":[{"t":1}]},"n":[1],"rows":[{"a":1}],"more":[{"b":2}]}'
    const { headers, rows, report } = await readJson(text)
    expect(headers).to.deep.equal(['a'])
    expect(rows).to.deep.equal([['1']])
    expect(report.dialect).to.include({ layout: 'array of objects', path: '/rows' })
  })

  it('looks through leading nulls and empty arrays, and into arrays of arrays', async () => {
    expect((await readJson('{"e":[],"a":[null,{"x":1}]}')).headers).to.deep.equal(['x'])
    expect((await readJson('[[{"x":1}]]')).report.dialect).to.include({ path: '/0' })
  })

  it('takes one bare object as one row, arrays of no objects included', async () => {
    const { headers, rows, report } = await readJson(' {"a":1,"list":[1,2],"rows":[]} ')
    expect(headers).to.deep.equal(['a', 'list', 'rows'])
    expect(rows).to.deep.equal([['1', '[1,2]', '[]']])
    expect(report.dialect).to.include({ layout: 'one object' })
  })

  it('follows a path, with escapes and indexes, past what lies beside it', async () => {
    const text = '{"x":{"a/b":[{"no":1}]},"a/b":[0,{"~":[{"yes":1}],"rest":[[]]}],"z":{}}'
    const { headers, report } = await readJson(text, { options: { path: '/a~1b/1/~0' } })
    expect(headers).to.deep.equal(['yes'])
    expect(report.dialect).to.include({ path: '/a~1b/1/~0' })
  })

  it('makes every document a row where the path is empty', async () => {
    const { headers, rows } = await readJson('{"a":[{"b":1}]}', { options: { path: '' } })
    expect(headers).to.deep.equal(['a'])
    expect(rows).to.deep.equal([['[{"b":1}]']])
  })

  it('takes the array with most objects where several are as near, and names the others', async () => {
    const document = {
      status: 'ok',
      meta: { tags: [{ x: 1 }], links: [{ y: 1 }] },
      data: { items: [{ id: 1, lines: [{}, {}, {}, {}] }, { id: 2 }] },
    }
    const { rows, report } = await readJson(JSON.stringify(document))
    expect(rows.map(([id]) => id)).to.deep.equal(['1', '2'])
    expect(report.dialect).to.deep.include({
      path: '/data/items',
      otherArrays: ['/meta/tags', '/meta/links'],
    })
  })

  it('finds rows behind a preamble that is larger than the window', async () => {
    const text = JSON.stringify({
      notes: Array.from({ length: 60_000 }, (_, k) => `note ${k} "quoted"`),
      deep: { rows: [{ wrong: 1 }] },
      rows: [{ right: 1 }],
    })
    expect((await readJson(text, { pieceBytes: 1000 })).headers).to.deep.equal(['right'])
    const named = await readJson(text, { options: { path: '/deep/rows' } })
    expect(named.headers).to.deep.equal(['wrong'])
  })
})

describe('JSON reader: cells', () => {
  it('gives kinds to what is not text', async () => {
    const { rows, kinds } = await readJson('[{"a":"1","b":1,"c":true,"d":[1],"e":{},"f":null}]')
    expect(rows).to.deep.equal([['1', '1', 'true', '[1]', '{}', null]])
    const { text, number, boolean, json } = CellKind
    expect(kinds).to.deep.equal([[text, number, boolean, json, json, text].join('')])
  })

  it('keeps every digit of a number', async () => {
    const written = ['12345678901234567890123', '1.50', '-0.10', '0', '3.0000000000000000001']
    const { rows } = await readJson(`[{"n":[]},${written.map((n) => `{"n":${n}}`).join(',')}]`)
    expect(rows.slice(1).flat()).to.deep.equal(written)
  })

  it('writes exponents out, and leaves those that would fill pages', async () => {
    const { rows, kinds } = await readJson('[{"a":1.5E3,"b":-2e-3,"c":1e99999,"d":-0,"e":1e400}]')
    const [cells] = rows
    expect(cells?.slice(0, 4)).to.deep.equal(['1500', '-0.002', '1e99999', '0'])
    expect(cells?.[4]).to.equal(`1${'0'.repeat(400)}`)
    expect(kinds).to.deep.equal(['11011'])
  })

  it('undoes escapes, and joins surrogate pairs', async () => {
    const { rows } = await readJson(
      '[{"a":"\\u00e9\\n\\t\\"\\\\\\/\\b\\f\\r\\ud83d\\ude00é😀","b":""}]',
    )
    expect(rows).to.deep.equal([['é\n\t"\\/\b\f\r😀é😀', '']])
  })

  it('lets a key that first appears late widen the table, and a missing one be null', async () => {
    const { headers, rows } = await readJson('[{"b":1},{"a":2},{},{"c":3,"b":4}]')
    expect(headers).to.deep.equal(['b', 'a', 'c'])
    expect(rows).to.deep.equal([
      ['1', null, null],
      [null, '2', null],
      [null, null, null],
      ['4', null, '3'],
    ])
  })

  it('lets the last of duplicate keys win, in cells and inside them', async () => {
    const { rows, kinds } = await readJson(
      '[{"a":"\\u0041","a":2,"b":1,"b":null,"c":{"k":1,"k":2},"d":1,"d":"\\n","d":"\\t"}]',
    )
    expect(rows).to.deep.equal([['2', null, '{"k":2}', '\t']])
    expect(kinds).to.deep.equal(['1040'])
  })

  it('knows a key however it is escaped, and in any order', async () => {
    const { headers, rows } = await readJson('[{"clé":1,"b\\"c":2},{"b\\u0022c":3,"cl\\u00e9":4}]')
    expect(headers).to.deep.equal(['clé', 'b"c'])
    expect(rows).to.deep.equal([
      ['1', '2'],
      ['4', '3'],
    ])
  })

  it('takes __proto__ and its kin as ordinary headers', async () => {
    const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '']
    const row = `{${names.map((name, k) => `"${name}":{"__proto__":${k}}`).join(',')}}`
    const { headers, rows } = await readJson(`[${row},${row}]`)
    expect(headers).to.deep.equal(names)
    expect(rows[1]).to.deep.equal(names.map((_, k) => `{"__proto__":${k}}`))
    expect({}).to.not.have.property('polluted')
  })

  it('writes nested values canonically: sorted by code unit, no space, digits as written', async () => {
    const nested =
      '{ "b" : [ 1.0, -0, 1E2 , "\\u00e9\\/\\u0007" ] , "é":{}, "a\\nb":1, "a":[ ], "😀":1, "\uffee":2 }'
    const { rows } = await readJson(`[{"x":${nested}}]`)
    expect(rows).to.deep.equal([
      ['{"a":[],"a\\nb":1,"b":[1.0,-0,1E2,"é/\\u0007"],"é":{},"😀":1,"\uffee":2}'],
    ])
  })

  it('sorts the keys of nested objects however many there are, the last of equals staying', async () => {
    for (const count of [3, 24, 25, 200]) {
      const keys = Array.from({ length: count }, (_, k) => `k${(k * 7) % count}`)
      const members = [...keys, ...keys].map((key, k) => `"${key}":${k}`)
      const { rows } = await readJson(`[{"x":{${members.join(', ')}}}]`)
      const last = JSON.parse(`{${members.join(',')}}`) as Record<string, number>
      const sorted = Object.keys(last).toSorted()
      expect(rows[0]?.[0]).to.equal(`{${sorted.map((key) => `"${key}":${last[key]}`).join(',')}}`)
    }
  })

  it('says on which line every row begins, and what its text was', async () => {
    const text = '[\n {"a":\n1},\n\n {"a":2}, {"a":3}\n]'
    const { lines, raw } = await readJson(text, { pieceBytes: 3 })
    expect(lines).to.deep.equal([2, 5, 5])
    expect(raw).to.deep.equal(['{"a":\n1}', '{"a":2}', '{"a":3}'])
  })

  // A row of 64 bytes divides every stretch that is read at once: each of them ends between two rows.
  for (const [layout, open, between, close] of [
    ['one a line', '', '\n', '\n'],
    ['in an array', '[', ',', ']'],
  ] as const) {
    for (const shift of [0, 1, 2]) {
      it(`keeps the last row whole where a stretch ends behind it: ${layout}, ${shift} bytes on`, async () => {
        const rows = Array.from({ length: 10_000 }, (_, row) => {
          const text = `{"text":"l\\u00e9 ${row}","nested":{"z":${row},"a":1}}`
          return text.padEnd(64 - between.length)
        })
        const { rows: read } = await readJson(
          `${open}${' '.repeat(shift)}${rows.join(between)}${close}`,
        )
        const wanted = rows.map((_, row) => [`lé ${row}`, `{"a":1,"z":${row}}`])
        expect(read.length).to.equal(wanted.length)
        expect(read.findIndex((cells, row) => `${cells}` !== `${wanted[row]}`)).to.equal(-1)
      })
    }
  }
})
