import { expect } from 'chai'

import { EngineError, type EngineProblem } from '../../../../pipelines/core/errors.ts'
import { readJson, refusalOf, type JsonCase } from './read-json.ts'

async function problemOf(text: string, given: JsonCase = {}): Promise<[EngineProblem, string]> {
  const error = await refusalOf(text, given)
  if (!(error instanceof EngineError)) throw error
  return [error.problem, error.message]
}

describe('JSON reader: what it refuses', () => {
  for (const [text, offset, line, reason] of [
    ['[{"a":1},]', 9, 1, 'expected a value but found “]”'],
    ['[{"a":1,}]', 8, 1, 'found “}”'],
    ['[{"a":1}\n{"a":2}]', 9, 2, 'expected “,” or “]” after a row but found “{”'],
    ['[\n{"a":NaN}]', 7, 2, 'found “N”'],
    ['[{"a":01}]', 7, 1, 'found “1”'],
    ['[{"a":+1}]', 6, 1, 'found “+”'],
    ['[{"a":1.}]', 8, 1, 'expected a digit'],
    ['[{"a":.5}]', 6, 1, 'found “.”'],
    ['[{"a":1e}]', 8, 1, 'expected a digit'],
    ["[{'a':1}]", 2, 1, `found “'”`],
    ['[{a:1}]', 2, 1, 'expected a key in double quotes'],
    ['[{"a" 1}]', 6, 1, 'expected “:”'],
    ['[{"a":1 /* no */}]', 8, 1, 'found “/”; JSON has no comments'],
    ['// no\n[{"a":1}]', 0, 1, 'JSON has no comments'],
    ['[{"a":"x\ny"}]', 8, 1, 'U+000A'],
    ['[{"a":"\\x"}]', 8, 1, 'expected an escape'],
    ['[{"a":"\\u12g4"}]', 11, 1, 'four hexadecimal digits'],
    ['[{"a":tru}]', 9, 1, 'expected “true”'],
    ['[{"a":[1,]}]', 9, 1, 'found “]”'],
    ['[{"a":{"b":1,}}]', 13, 1, 'found “}”'],
    ['[{"a":1}', 8, 1, 'the end of the input'],
    ['[{"a":1', 7, 1, 'the end of the input'],
    ['[{"a":"x', 8, 1, 'the end of the input'],
    ['{"a":1}\n{"a":', 13, 2, 'the end of the input'],
    ['{"a":1}\n{"a":2\n{"a":3}\n', 14, 2, 'not closed at the end of its line'],
    ['{"a":1}\r\n{"a":\r\n{"a":3}\r\n{"a":4}', 15, 2, 'not closed at the end of its line'],
    ['{"a":1}\n{"a":[2\n\n{"a":3}]}', 15, 2, 'not closed at the end of its line'],
    ['{"a":1}\n{"a":2\n', 14, 2, 'not closed at the end of its line'],
    ['{"a":1}\n{"a":2}{"a":3,}\n{"a":4}', 22, 2, 'found “}”'],
    ['{"a":1}\n{\n"a":2\n"b":3\n}', 16, 4, 'found “"”'],
    ['{"a":1}\n{\n"a":2\n{"a":3}', 16, 4, 'found “{”'],
    ['[{"a":1}]\n[{"a":2}]', 10, 2, 'something follows'],
    ['{"rows":[{"a":1}],"b":nul}', 25, 1, 'expected “null”'],
    ['{"rows":[{"a":1}]', 17, 1, 'the end of the input'],
    ['[{"a":"é"},é]', 12, 1, 'found “é”'],
    ['[{"a\\u0000b":1}]', 3, 1, 'NUL'],
  ] as const) {
    for (const pieceBytes of [1, 64 * 1024]) {
      it(`refuses ${JSON.stringify(text)} in pieces of ${pieceBytes}`, async () => {
        const [problem, message] = await problemOf(text, { pieceBytes })
        expect(problem).to.include({ kind: 'structure', line, offset })
        expect(message).to.contain(reason).and.to.contain(`line ${line}`)
      })
    }
  }

  it('names the row of broken JSON inside the rows', async () => {
    const [problem] = await problemOf('[{"a":1},\n{"a":2},\n{"a":}]')
    expect(problem).to.deep.equal({ kind: 'structure', line: 3, offset: 24, row: 3 })
  })

  for (const [text, message] of [
    ['', 'empty'],
    [' \n ', 'empty'],
    ['[]', 'The JSON array is empty'],
    ['{}', 'no keys'],
    ['[{},{}]', 'no keys'],
  ] as const) {
    it(`finds nothing in ${JSON.stringify(text)}`, async () => {
      const [problem, said] = await problemOf(text)
      expect(problem).to.deep.equal({ kind: 'empty' })
      expect(said).to.contain(message)
    })
  }

  for (const [text, message] of [
    ['5', 'the document is a number'],
    ['"x"', 'the document is a string'],
    ['[1,2]', 'the first element of the array is a number'],
    ['[null,null]', 'the array holds nothing but null'],
    ['[[1,2],[3,4]]', 'the first element of the array is an array'],
    ['[[["a"]],["b"]]', 'the first element of the array is an array'],
  ] as const) {
    it(`says what it found in the place of objects in ${text}`, async () => {
      const [problem, said] = await problemOf(text)
      expect(problem.kind).to.equal('structure')
      expect(said).to.contain(message)
    })
  }

  for (const [path, message] of [
    ['rows', 'The path “rows” is not a JSON Pointer'],
    ['/a~2', 'not a JSON Pointer'],
    ['/none', 'there is no “none” in the document'],
    ['/d/none', 'there is no “none” in /d'],
    ['/d/n/x', 'there is no “x” in /d/n'],
    ['/d', 'path “/d” leads to an object, not to an array of objects'],
    ['/rows/1', 'there is no “1” in /rows'],
  ] as const) {
    it(`refuses the path ${path}`, async () => {
      const text = '{"d":{"n":1},"rows":[{"a":1}]}'
      const [problem, said] = await problemOf(text, { options: { path } })
      expect(problem).to.deep.equal({ kind: 'options', pointer: '/path' })
      expect(said).to.contain(message)
    })
  }

  it('refuses a document in which the path occurs twice, rather than keep the first', async () => {
    const text = '{"a":{"rows":[{"x":1}],"b":{"rows":1}},"c":{"rows":[]},"a":{"rows":[{"x":2}]}}'
    const [problem, message] = await problemOf(text, { options: { path: '/a/rows' } })
    expect(problem.kind).to.equal('structure')
    expect(message).to.contain('/a,')
  })

  it('says that a named array is empty', async () => {
    const [problem, message] = await problemOf('{"d":{"r":[]}}', { options: { path: '/d/r' } })
    expect(problem).to.deep.equal({ kind: 'empty' })
    expect(message).to.contain('/d/r')
  })
})

describe('JSON reader: rows that are broken and leave the others whole', () => {
  it('are those with what no database stores, each with its reason', async () => {
    const text =
      '[{"a":"x\\u0000"},{"b":1,"a":"\\ud800"},{"a":["\\udc00x"]},{"a":"\\ud83d\\ude00"}]'
    const { faults, rows } = await readJson(text)
    expect(Object.keys(faults)).to.deep.equal(['1', '2', '3'])
    expect(faults[1]).to.contain('“a”').and.to.contain('NUL')
    expect(faults[2]).to.contain('“a”').and.to.contain('surrogate')
    expect(faults[3]).to.contain('“a”').and.to.contain('surrogate')
    expect(rows[3]).to.deep.equal(['😀', null])
  })

  it('are elements that are no objects', async () => {
    const { faults, rows } = await readJson('[{"a":1},5,null,[1,[2]],{"a":2}]')
    expect(faults).to.deep.equal({
      2: 'a row must be an object, not a number',
      3: 'a row must be an object, not null',
      4: 'a row must be an object, not an array',
    })
    expect(rows.at(-1)).to.deep.equal(['2'])
  })

  it('are broken lines of newline-delimited objects, where rows may be skipped', async () => {
    const lines = ['{"a":1}', '{"a":2,}', '{"a":"x', '{"a":', '{"a":5}', 'oops', '{"a":7}', '{"a"']
    const skip: JsonCase = { options: { onInvalid: 'skip' }, pieceBytes: 2 }
    const { rows, faults, raw, lines: at } = await readJson(lines.join('\n'), skip)
    expect(rows.map(([a]) => a)).to.deep.equal(['1', null, null, null, '5', null, '7', null])
    expect(Object.keys(faults).map(Number)).to.deep.equal([2, 3, 4, 6, 8])
    expect(raw).to.deep.equal(lines)
    expect(at).to.deep.equal([1, 2, 3, 4, 5, 6, 7, 8])
    expect(faults[4]).to.contain('on line 4 (row 4)').and.contain('at the end of its line')
  })

  it('may be the first line too, but not the one document that holds all rows', async () => {
    const skip: JsonCase = { options: { onInvalid: 'skip' } }
    for (const first of ['{"a":1,}', '{"a":"x', '{"a":1']) {
      const { rows, faults } = await readJson(`${first}\n{"a":2}\n`, skip)
      expect(rows).to.deep.equal([[null], ['2']])
      expect(Object.keys(faults)).to.deep.equal(['1'])
    }
    const [problem] = await problemOf('{"rows":[{"a":1},\n{"a":2},\n{"a":3,}]}', skip)
    expect(problem).to.include({ kind: 'structure', line: 3 })
  })
})
