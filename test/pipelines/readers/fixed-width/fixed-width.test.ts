import { expect } from 'chai'
import * as fc from 'fast-check'

import { fixedWidthFormat } from '../../../../pipelines/readers/fixed-width/index.ts'
import { describeReader, failure, inChunks, readTable } from '../../../contracts/reader.ts'
import { textFixtures } from '../../../support/fixtures.ts'

const inputs = textFixtures('fixed-width')
const format = fixedWidthFormat
const tableOf = (text: string | Buffer, options = {}, chunk = 64 * 1024) =>
  readTable(format, () => inChunks(Buffer.from(text), chunk), { options })

function large(): Buffer {
  const rows = Array.from(
    { length: 20_000 },
    (_, row) => `${String(row).padEnd(8)}note ${String(Math.sin(row)).padStart(22)}`,
  )
  return Buffer.from(`${'id'.padEnd(8)}note\n${rows.join('\n')}\n`)
}

describeReader('The reader of fixed-width text', { format, inputs, large })

describe('Fields of fixed-width text', () => {
  it('are found by what all lines leave blank', async () => {
    const { headers, rows } = await tableOf(inputs[0]!.bytes)
    expect(headers).to.deep.equal(['Compte', 'Libelle', 'Solde', 'Ouvert le'])
    expect(rows[0]).to.deep.equal(['401000', 'Fournisseurs', '-1234,50', '01/03/2019'])
    expect(rows[3]).to.deep.equal(['530000', 'Caisse', null, '02/01/2022'])
  })

  it('are counted in characters, what lies beyond the last one being one more', async () => {
    const text = 'abc  note\nééé12reste\n😀😀😀34rest\n'
    const { headers, rows } = await tableOf(text, { widths: [3, 2], headerRow: 1 })
    expect(headers).to.deep.equal(['abc', null, 'note'])
    expect(rows).to.deep.equal([
      ['ééé', '12', 'reste'],
      ['😀😀😀', '34', 'rest'],
    ])
  })

  it('are those that a ruler below the names draws', async () => {
    const lines = (count: number, note = '') =>
      [
        'Num Nom         Solde',
        '--- ----------- ------',
        ...Array.from(
          { length: count },
          (_, at) => `${at + 1}   Client ${at + 1}    ${at + 10},50`,
        ),
        note,
      ].join('\n')
    for (const text of [lines(1), lines(9), lines(9, '\n(9 rows affected)\n')]) {
      const head = { bytes: Buffer.from(text), isWhole: true, members: null }
      expect(fixedWidthFormat.recognises(head)).to.equal('likely')
      const { headers, rows: all } = await tableOf(text)
      // The line of the ruler is blank, and so is the one above the note.
      const rows = all.filter((cells) => cells.some((cell) => cell !== null))
      expect(headers).to.deep.equal(['Num', 'Nom', 'Solde'])
      expect(rows[0]).to.deep.equal(['1', 'Client 1', '10,50'])
      expect(rows).to.have.length(text === lines(1) ? 1 : 9)
    }
    for (const other of [
      'a b c\n- - -\nx y z\nx y z\n',
      'aa--- --\n--- ----\nabcdefgh\nabcdefgh',
    ]) {
      const head = { bytes: Buffer.from(other), isWhole: true, members: null }
      expect(fixedWidthFormat.recognises(head)).to.equal('perhaps')
    }
  })

  it('have to be named where no column is blank', async () => {
    const { message } = await failure(tableOf('abcdef\nghijkl\n'))
    expect(message).to.contain('option widths')
  })

  it('are the same whatever ends a line, wherever the text is cut', async () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'é', '7'), minLength: 1, maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(word, word), { minLength: 2, maxLength: 30 }),
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.integer({ min: 1, max: 9 }),
        async (words, end, chunk) => {
          const given = words.map(([a, b], at) => [String(at), a, b])
          const lines = given.map((cells) => cells.map((cell) => cell.padEnd(5)).join(''))
          const options = { widths: [5, 5, 5], headerRow: 0, firstRow: 1, notes: 'load' }
          const { rows } = await tableOf(lines.join(end), options, chunk)
          expect(rows).to.deep.equal(given)
        },
      ),
      { numRuns: 40 },
    )
  })
})
