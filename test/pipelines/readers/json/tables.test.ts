import { expect } from 'chai'

import { MiB } from '../../../../pipelines/index.ts'
import { EngineError } from '../../../../pipelines/core/errors.ts'
import { readJson, refusalOf, type JsonCase } from './read-json.ts'

async function problemOf(text: string, given: JsonCase = {}): Promise<[unknown, string]> {
  const error = await refusalOf(text, given)
  if (!(error instanceof EngineError)) throw error
  return [error.problem, error.message]
}

describe('JSON reader: rows that are arrays', () => {
  for (const pieceBytes of [1, 64 * 1024]) {
    it(`takes the first array for the header, in pieces of ${pieceBytes}`, async () => {
      const text = '[["nom", "prix",\n null],["Amélie",1.50,{"b":1,"a":[2]}],\n[null,-0,"\\u00e9"]]'
      const { headers, rows, lines, raw, kinds, report } = await readJson(text, { pieceBytes })
      expect(headers).to.deep.equal(['nom', 'prix', ''])
      expect(rows).to.deep.equal([
        ['Amélie', '1.50', '{"a":[2],"b":1}'],
        [null, '0', 'é'],
      ])
      expect(kinds).to.deep.equal(['014', '010'])
      expect(lines).to.deep.equal([2, 3])
      expect(raw[1]).to.equal('[null,-0,"\\u00e9"]')
      expect(report.dialect).to.include({ layout: 'array of arrays', path: '' })
    })

    for (const [order, text] of [
      ['before', '{"columns":["id","nom"],"total":2,"rows":[[1,"a"],[2,"b"]]}'],
      ['behind', '{"rows":[[1,"a"],[2,"b"]],"total":2,"columns":["id","nom"]}'],
    ] as const) {
      it(`takes rows with the columns ${order} them, in pieces of ${pieceBytes}`, async () => {
        const { headers, rows, report } = await readJson(text, { pieceBytes })
        expect(headers).to.deep.equal(['id', 'nom'])
        expect(rows).to.deep.equal([
          ['1', 'a'],
          ['2', 'b'],
        ])
        expect(report.dialect).to.include({ layout: 'array of arrays', path: '/rows' })
      })
    }
  }

  it('takes the first array for the header where the path is empty, too', async () => {
    const { headers, rows } = await readJson('[["a"],[1]]', { options: { path: '' } })
    expect({ headers, rows }).to.deep.equal({ headers: ['a'], rows: [['1']] })
  })

  for (const pieceBytes of [1, 64 * 1024]) {
    it(`takes arrays where a path leads to them, in pieces of ${pieceBytes}`, async () => {
      const text = '{"range":"A1:B3","d":{"values": [ ["id","nom"],[1,"a"],[2,"b"]]},"n":{"a":[]}}'
      const { headers, rows, report } = await readJson(text, {
        pieceBytes,
        options: { path: '/d/values' },
      })
      expect(headers).to.deep.equal(['id', 'nom'])
      expect(rows).to.deep.equal([
        ['1', 'a'],
        ['2', 'b'],
      ])
      expect(report.dialect).to.include({ layout: 'array of arrays', path: '/d/values' })
    })

    it(`takes the columns that stand beside them, in pieces of ${pieceBytes}`, async () => {
      const text = '{"columns":["x"],"d":{"columns":["id","nom"],"rows":[["1","a"]]}}'
      const { headers, rows } = await readJson(text, { pieceBytes, options: { path: '/d/rows' } })
      expect({ headers, rows }).to.deep.equal({ headers: ['id', 'nom'], rows: [['1', 'a']] })
    })
  }

  it('makes a table without rows of columns beside an empty array that a path leads to', async () => {
    const text = '{"d":{"columns":["id"],"rows":[]}}'
    const { headers, rows } = await readJson(text, { options: { path: '/d/rows' } })
    expect({ headers, rows }).to.deep.equal({ headers: ['id'], rows: [] })
  })

  it('takes no row for a header because its columns come late', async () => {
    const text = '{"d":{"rows":[["1","a"],["2","b"]],"columns":["id","nom"]}}'
    const [problem, message] = await problemOf(text, { options: { path: '/d/rows' } })
    expect(problem).to.include({ kind: 'structure' })
    expect(message).to.contain('“columns” stands behind the rows')
    const [, ofData] = await problemOf('{"d":{"data":[["1"]],"columns":["id"]}}', {
      options: { path: '/d/data' },
    })
    expect(ofData).to.contain('put it before “data”')
  })

  it('wants names above arrays that a path leads to', async () => {
    const [problem, message] = await problemOf('{"d":[[1,2],[3,4]]}', { options: { path: '/d' } })
    expect(problem).to.include({ kind: 'structure' })
    expect(message).to.contain('expected an array of column names')
  })

  it('keeps numbers in a header, and names that are there twice', async () => {
    const { headers, rows } = await readJson('[["mois",2023,2023],["mai",1,2]]')
    expect(headers).to.deep.equal(['mois', '2023', '2023'])
    expect(rows).to.deep.equal([['mai', '1', '2']])
  })

  it('makes a table without rows of a header alone', async () => {
    for (const text of ['[["a","b"]]', '{"columns":["a","b"],"rows":[]}']) {
      const { headers, rows } = await readJson(text)
      expect({ headers, rows }).to.deep.equal({ headers: ['a', 'b'], rows: [] })
    }
  })

  it('takes rows under "data", as pandas writes them, unless "rows" are arrays', async () => {
    const pandas = await readJson('{"columns":["a","b"],"index":[0,1],"data":[[1,"x"],[2,"y"]]}')
    expect(pandas.headers).to.deep.equal(['a', 'b'])
    expect(pandas.rows).to.deep.equal([
      ['1', 'x'],
      ['2', 'y'],
    ])
    expect(pandas.report.dialect).to.include({ layout: 'array of arrays', path: '/data' })
    for (const [text, rows] of [
      ['{"columns":["a"],"data":[[1]],"rows":[[2]]}', [['2']]],
      ['{"columns":["a"],"data":[],"rows":[[2]]}', [['2']]],
      ['{"columns":["a"],"rows":[[2]],"data":[[1]]}', [['2']]],
      ['{"columns":["a"],"rows":1,"data":[[1]]}', [['1']]],
      ['{"columns":["a"],"data":[],"rows":{"b":1}}', []],
    ] as const) {
      expect((await readJson(text)).rows, text).to.deep.equal(rows)
    }
  })

  it('names other arrays that could be the rows, but for those in cells', async () => {
    const text = '{"columns":["a"],"rows":[[[{"x":1}]]],"errors":[{"y":1}]}'
    const { rows, report } = await readJson(text)
    expect(rows).to.deep.equal([['[{"x":1}]']])
    expect(report.dialect).to.deep.include({ otherArrays: ['/errors'] })
  })

  for (const text of [
    '{"columns":["a"],"rows":5}',
    '{"columns":[["a"]],"rows":[["x"]]}',
    '{"columns":["a"],"rows":["x"]}',
    '{"columns":[],"rows":[["x"]]}',
    '{"rows":1,"columns":["a"],"rows":[["x"]]}',
  ]) {
    it(`leaves ${text} as it was: one row`, async () => {
      const { headers, rows } = await readJson(text)
      expect(headers.toSorted()).to.deep.equal(['columns', 'rows'])
      expect(rows).to.have.length(1)
    })
  }

  it('still takes objects under "rows" beside "columns", and one document a line', async () => {
    const beside = await readJson('{"columns":["a"],"rows":[{"a":1}]}')
    expect(beside.headers).to.deep.equal(['a'])
    const lines = await readJson('{"columns":["a"],"rows":[[1]]}\n{"columns":["a"],"rows":[[2]]}')
    expect(lines.headers).to.deep.equal(['columns', 'rows'])
    expect(lines.rows).to.have.length(2)
  })

  it('finds rows with more or fewer values than the header broken, and elements that are no arrays', async () => {
    const { rows, faults } = await readJson('[["a","b"],[1],[1,2,[3]],[],{"a":1},null,[3,4]]')
    expect(faults).to.deep.equal({
      1: 'a row must have 2 values, like the header, not 1',
      2: 'a row must have 2 values, like the header, not 3',
      3: 'a row must have 2 values, like the header, not 0',
      4: 'a row must be an array, not an object',
      5: 'a row must be an array, not null',
    })
    expect(rows.at(-1)).to.deep.equal(['3', '4'])
  })

  it('takes rows with more or fewer values as the option ragged says', async () => {
    const text = '[["a","b"],[1],[2,"x",null," "],[],[3,"y","z"],[4,"w"]]'
    for (const pieceBytes of [1, 64 * 1024]) {
      const read = (ragged: 'pad' | 'fit') => readJson(text, { pieceBytes, options: { ragged } })
      const padded = await read('pad')
      expect(padded.faults).to.deep.equal({
        4: 'a row must have 2 values, like the header, not 3',
      })
      expect(padded.rows.slice(0, 3)).to.deep.equal([
        ['1', null],
        ['2', 'x'],
        [null, null],
      ])
      expect(padded.report.repaired).to.include({ rowsPadded: 1, blankFieldsDropped: 2 })
      const fitted = await read('fit')
      expect(fitted.faults).to.deep.equal({})
      expect(fitted.rows[3]).to.deep.equal(['3', 'y'])
      expect(fitted.report.repaired).to.include({ rowsPadded: 1, fieldsCut: 1 })
    }
  })

  for (const [text, reason] of [
    ['[["a"],[1,]]', 'found “]”'],
    ['[["a"],[1 2]]', 'expected “,” or “]”'],
    ['[["a"] [1]]', 'expected “,” or “]” after a row'],
    ['[["a"],[1],]', 'found “]”'],
    ['[["a"],[1]', 'the end of the input'],
    ['[["a",],[1]]', 'found “]”'],
    ['[["a"', 'the end of the input'],
    ['[["a"],[1]] x', 'something follows'],
    ['[["a\\u0000"],[1]]', 'NUL'],
    ['{"columns":["a"],"rows":[[1]],"b":nul}', 'expected “null”'],
  ] as const) {
    for (const pieceBytes of [1, 64 * 1024]) {
      it(`refuses ${text} in pieces of ${pieceBytes}`, async () => {
        const [problem, message] = await problemOf(text, { pieceBytes })
        expect(problem).to.include({ kind: 'structure' })
        expect(message).to.contain(reason)
      })
    }
  }

  it('refuses more columns than a table holds', async () => {
    const limits = { columns: 2 }
    for (const text of ['[["a","b","c"],[1,2,3]]', '{"columns":["a","b","c"],"rows":[]}']) {
      const [problem] = await problemOf(text, { limits })
      expect(problem).to.deep.equal({ kind: 'limit', limit: 'columns' })
    }
  })
})

describe('JSON reader: an array of texts', () => {
  for (const pieceBytes of [1, 64 * 1024]) {
    it(`is a table of one column without a name, in pieces of ${pieceBytes}`, async () => {
      const text = '["Amélie",\n "a\\u00e9", null, "", 1.50, {"b":1,"a":2}]'
      const { headers, rows, lines, report } = await readJson(text, { pieceBytes })
      expect(headers).to.deep.equal([''])
      expect(rows).to.deep.equal([['Amélie'], ['aé'], [null], [''], ['1.50'], ['{"a":2,"b":1}']])
      expect(lines).to.deep.equal([1, 2, 2, 2, 2, 2])
      expect(report.dialect).to.include({ layout: 'array of texts', path: '' })
    })

    it(`is found where a path leads to it, in pieces of ${pieceBytes}`, async () => {
      const given = { pieceBytes, options: { path: '/tags' } }
      const { headers, rows } = await readJson('{"id":1,"tags":["a","b"],"n":[]}', given)
      expect({ headers, rows }).to.deep.equal({ headers: [''], rows: [['a'], ['b']] })
    })
  }

  it('is no table where an array of objects stands among them, or another document behind', async () => {
    expect((await readJson('["ok",[{"a":1}]]')).headers).to.deep.equal(['a'])
    expect((await problemOf('["a"]\n["b"]'))[1]).to.include('is a string')
  })
})

describe('JSON reader: an object of objects', () => {
  for (const pieceBytes of [1, 64 * 1024]) {
    it(`makes its keys the first column, in pieces of ${pieceBytes}`, async () => {
      const text = '{"FR-1": {"nom":"Amélie"},\n"d\\u00e9": {"âge":3,"nom":"Bob"}, "":{}}'
      const { headers, rows, lines, raw, report } = await readJson(text, { pieceBytes })
      expect(headers).to.deep.equal(['Clé', 'nom', 'âge'])
      expect(rows).to.deep.equal([
        ['FR-1', 'Amélie', null],
        ['dé', 'Bob', '3'],
        ['', null, null],
      ])
      expect(lines).to.deep.equal([1, 2, 2])
      expect(raw[0]).to.equal('"FR-1": {"nom":"Amélie"}')
      expect(report.dialect).to.include({ layout: 'object of objects', path: '' })
    })
  }

  it('keeps a key that is called like the first column apart from it', async () => {
    const { headers, rows } = await readJson('{"a":{"Clé":1},"b":{"Clé":2}}')
    expect(headers).to.deep.equal(['Clé', 'Clé'])
    expect(rows).to.deep.equal([
      ['a', '1'],
      ['b', '2'],
    ])
  })

  it('begins with two entries, all of them objects; else it is one row', async () => {
    for (const text of ['{"a":{"x":1}}', '{"a":{"x":1},"b":2}', '{"a":{"x":1},"b":[],"c":{}}']) {
      const { rows, report } = await readJson(text)
      expect(rows).to.have.length(1)
      expect(report.dialect).to.include({ layout: 'one object' })
    }
  })

  it('is one row where the path is empty', async () => {
    const { headers } = await readJson('{"a":{"x":1},"b":{"x":2}}', { options: { path: '' } })
    expect(headers).to.deep.equal(['a', 'b'])
  })

  it('keeps arrays of objects in cells where the entries are alike, and else takes one for the rows', async () => {
    const alike = await readJson('{"a":{"tel":[{"n":1}]},"b":{"tel":[{"n":2}]}}')
    expect(alike.headers).to.deep.equal(['Clé', 'tel'])
    const wrapped = await readJson('{"meta":{"count":1},"data":{"items":[{"n":1}]}}')
    expect(wrapped.report.dialect).to.include({ path: '/data/items' })
  })

  it('is not what several documents are', async () => {
    const { headers } = await readJson('{"a":{"x":1},"b":{"x":2}}\n{"a":{"x":3}}')
    expect(headers).to.deep.equal(['a', 'b'])
  })

  for (const [text, reason] of [
    ['{"a":{"x":1},"b":{"x":2},}', 'expected a key in double quotes'],
    ['{"a":{"x":1},"b":{"x":2}', 'the end of the input'],
    ['{"a":{"x":1},"b" {"x":2}}', 'expected “:”'],
  ] as const) {
    it(`refuses ${text}`, async () => {
      const [problem, message] = await problemOf(text, { pieceBytes: 1 })
      expect(problem).to.include({ kind: 'structure' })
      expect(message).to.contain(reason)
    })
  }
})

describe('JSON reader: tables that are larger than what is looked at to find them', () => {
  const COUNT = 120_000
  const cell = (k: number) => `"${'x'.repeat(40)} ${k}"`
  const rowsOf = (row: (k: number) => string) => Array.from({ length: COUNT }, (_, k) => row(k))

  for (const [name, text] of [
    ['an array of arrays', () => `[["id","t"],${rowsOf((k) => `[${k},${cell(k)}]`).join()}]`],
    [
      'columns and rows',
      () => `{"columns":["id","t"],"rows":[${rowsOf((k) => `[${k},${cell(k)}]`).join()}]}`,
    ],
    ['an object of objects', () => `{${rowsOf((k) => `"${k}":{"t":${cell(k)}}`).join()}}`],
  ] as const) {
    it(`are read in batches, and every row is there: ${name}`, async () => {
      const json = text()
      expect(json.length).to.be.above(4 * MiB)
      const { rows, batches } = await readJson(json)
      expect(batches).to.be.above(10)
      expect(rows).to.have.length(COUNT)
      expect(rows.findIndex(([id], k) => id !== String(k))).to.equal(-1)
    })
  }

  it('name an entry that is no object, far behind the others, as a broken row', async () => {
    const entries = rowsOf((k) => `"${k}":{"t":${cell(k)}}`)
    const { faults } = await readJson(`{${entries.join()},"last":5}`)
    expect(faults).to.deep.equal({ [COUNT + 1]: 'a row must be an object, not a number' })
  })
})
