import { expect } from 'chai'
import * as fc from 'fast-check'

import { opinionsOn } from '../../../../pipelines/engine/choose-format.ts'
import { fixedWidthFormat } from '../../../../pipelines/readers/fixed-width/index.ts'
import { describeReader, failure, inChunks, readTable } from '../../../contracts/reader.ts'
import { textFixtures } from '../../../support/fixtures.ts'

const inputs = textFixtures('fixed-width')
const format = fixedWidthFormat
const tableOf = (text: string | Buffer, options = {}, chunk = 64 * 1024) =>
  readTable(format, () => inChunks(Buffer.from(text), chunk), { options })

function certaintyOf(text: string) {
  const head = { bytes: Buffer.from(text), isWhole: true, members: null }
  return opinionsOn(head, [format])[0]!.certainty
}

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

  it('are found in the whole of long lines', async () => {
    const line = (row: number) =>
      Array.from({ length: 900 }, (_, at) => String(row * 1000 + at).padStart(8)).join('')
    const { headers, rows } = await tableOf([1, 2, 3, 4, 5, 6].map(line).join('\n'))
    expect(headers).to.have.length(900)
    expect(rows.at(-1)!.at(-1)).to.equal('6899')
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
      expect(certaintyOf(text)).to.equal('likely')
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
      expect(certaintyOf(other)).to.equal('perhaps')
    }
  })

  it('may have titles above, names beside their columns, and prose below', async () => {
    const row = (at: number) =>
      `0${1 + (at % 9)}/03/2024  ${['VIR SEPA DUPONT', 'PRLV EDF', 'RETRAIT 12/03 BREST'][at % 3]!.padEnd(30)}` +
      (at % 4 === 0 ? `${at * 100 + 7},50`.padStart(22) : `${at + 3},25`.padStart(9))
    const statement = [
      'BANQUE DE BREST, agence du port                                   Relevé de compte',
      '',
      'Titulaire : Mme Le Goff, 3 quai de la Douane, 29200 Brest',
      'Date     Libellé de l’opération       Débit en euros    Crédit en euros',
      ...Array.from({ length: 40 }, (_, at) => row(at)),
      '',
      'Vos comptes sont tenus en euros ; ce relevé ne vaut pas facture, et aucune réclamation',
      'n’est plus reçue passé un délai de deux mois.',
    ].join('\n')
    expect(certaintyOf(statement)).to.equal('likely')
    const { headers, rows } = await tableOf(statement)
    expect(headers).to.deep.equal([
      'Date',
      'Libellé de l’opération',
      'Débit en euros',
      'Crédit en euros',
    ])
    const filled = rows.filter((cells) => cells.some((cell) => cell !== null))
    expect(filled).to.have.length(40)
    expect(filled[0]).to.deep.equal(['01/03/2024', 'VIR SEPA DUPONT', null, '7,50'])
    expect(filled[1]).to.deep.equal(['02/03/2024', 'PRLV EDF', '4,25', null])
  })

  it('have their names where these run over a blank that stands between two words of all rows', async () => {
    const towns = ['Brest', 'Dole', 'Figeac', 'Vire', 'Ussel', 'Vannes', 'Thiers', 'Gap']
    const line = (...cells: string[]) => cells.map((cell) => cell.padEnd(16)).join('')
    const rows = towns.map((town, at) => line(`rue ${town} a`, `rue ${town} b`, String(at + 10)))
    const { headers, rows: read } = await tableOf(
      [line('Adresse', 'Autre', 'No'), ...rows].join('\n'),
    )
    expect(headers[0]).to.equal('Adresse')
    expect(read).to.have.length(towns.length)
  })

  it('grow to the left where they end in one column, as numbers do behind the first lines', async () => {
    const line = (at: number) =>
      `${String(at).padStart(6)} ${'nom'.padEnd(4 + (at % 3), 'x').padEnd(8)} ${String(at * 7).padStart(9)}`
    const { rows } = await tableOf(Array.from({ length: 5000 }, (_, at) => line(at)).join('\n'))
    expect(rows[0]).to.deep.equal(['0', 'nomx', '0'])
    expect(rows[4999]).to.deep.equal(['4999', 'nomxx', '34993'])
  })

  it('are not found in prose, lists of words, or what something separates', () => {
    const prose = `Le conseil municipal, réuni en séance, adopte la délibération suivante, et charge le maire de
son exécution.  Les crédits sont inscrits au budget de l’exercice, chapitre onze.
Une ampliation en sera transmise au préfet,  au trésorier et aux intéressés, qui en
accuseront réception dans les formes que prévoit le règlement intérieur du conseil.
Fait et délibéré les jour, mois et an que dessus,  et ont signé les membres présents.`
    const lists = Array.from(
      { length: 30 },
      (_, at) => `Rue ${at}${' de la Mairie'.repeat(at % 3)}`,
    )
    const csv = Array.from({ length: 30 }, (_, at) => `${at};  nom ;   ${at * 3};  ville`)
    for (const text of [prose, lists.join('\n'), csv.join('\n')]) {
      expect(certaintyOf(text), text).to.equal('perhaps')
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
