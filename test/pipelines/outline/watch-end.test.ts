import { expect } from 'chai'
import * as fc from 'fast-check'

import type { SheetRow } from '../../../pipelines/outline/sheet-row.ts'
import { EndWatch } from '../../../pipelines/outline/watch-end.ts'
import { seeRows } from '../../../pipelines/outline/seen-row.ts'
import { sheetOf } from './rows.ts'

/** A watch over a sheet whose first line is the header, and what it said of each row. */
function watch(sheet: readonly SheetRow[], known = sheet.length, most?: { rows: number }) {
  const [header, ...rows] = seeRows(sheet.slice(0, known))
  const limits = most === undefined ? [] : [{ characters: 1000, ...most }]
  const endWatch = new EndWatch(header!, rows, ...limits)
  const verdicts = sheet.slice(1).map((row) => endWatch.take(row))
  return { verdicts, ...endWatch.end() }
}

const CITIES = `
Commune | Habitants | Superficie
Dole    | 23711     | 38,4
Figeac  | 9757      | 35,2
Thiers  | 11634     | 44,5`

describe('the end of a table', () => {
  it('is its last row when nothing follows', () => {
    expect(watch(sheetOf(CITIES))).to.deep.equal({
      verdicts: ['rows', 'rows', 'rows'],
      lastRow: 4,
      notes: [],
      doubtful: [],
      others: [],
    })
  })

  it('is its last row where words stand alone and some are longer than those above', () => {
    const sources =
      'Level 1 | Level 2\nFossil fuels | Natural gas\nFossil fuels | Hard coal\nRenewable | Hydro'
    const { lastRow, notes } = watch(
      sheetOf(`${sources}\nOther or unspecified energy sources |\nNuclear |`),
    )
    expect({ lastRow, notes }).to.deep.equal({ lastRow: 6, notes: [] })
  })

  it('is above notes that follow a blank row', () => {
    const { lastRow, notes, verdicts } = watch(
      sheetOf(`${CITIES}

Source : Insee, recensement
de la population`),
    )
    expect({ lastRow, verdicts }).to.deep.equal({
      lastRow: 4,
      verdicts: ['rows', 'rows', 'rows', 'rows', 'held', 'held'],
    })
    expect(notes).to.deep.equal([
      { line: 6, text: 'Source : Insee, recensement' },
      { line: 7, text: 'de la population' },
    ])
  })

  it('is above notes right below the rows, even when a delimiter splits them', () => {
    const { lastRow, notes } = watch(
      sheetOf(`
Année | Bretagne | Normandie | France
2018  | 5470     | 9300      | 6020
2019  | 5660     | 9360      | 6000
Source : Safer | prix des terres
Champ : France métropolitaine`),
    )
    expect(lastRow).to.equal(3)
    expect(notes.map(({ line }) => line)).to.deep.equal([4, 5])
  })

  it('is not a blank row, the name of a group, or a row that lacks values', () => {
    const sheet = sheetOf(`${CITIES}

Communes nouvelles
Mauges | 26000 | 191

Vire   |       | 138,6
Total  | 71102 |`)
    expect(watch(sheet)).to.deep.include({ lastRow: 10, notes: [], others: [] })
  })

  it('may be a row of totals, also below a blank row', () => {
    const sheet = sheetOf(`${CITIES}

Total | 45102 | 118,1`)
    expect(watch(sheet)).to.deep.include({ lastRow: 6, notes: [] })
  })

  it('may be a row with a single word among words', () => {
    const sheet = sheetOf(`
Nom     | Téléphone  | Courriel
Martin  | 0601020304 | m@exemple.fr
Nguyen  |            |
Zoé     |            |`)
    expect(watch(sheet)).to.deep.include({ lastRow: 4, notes: [] })
  })

  it('is its last row where that begins like a note as the others do; below a blank row it is in doubt', () => {
    for (const name of ['#. Dole', '(#) Dole', '* Dole #', 'Source #', 'N#: Dole', '[#] Dole']) {
      const rows = [1, 2, 3, 4].map((at) => `${name.replace('#', String(at))} | ${at}3 | 1${at}`)
      const last = name.replace('#', '5')
      const end = (gap: string) =>
        watch(sheetOf(`Nom | Entrées | Sorties\n${rows.join('\n')}${gap}${last} | |`))
      expect(end('\n'), last).to.deep.include({ lastRow: 6, notes: [] })
      expect(end('\n\n').doubtful, last).to.deep.equal([{ line: 7, text: last }])
    }
  })

  it('is not found in a table of one column', () => {
    const sheet = sheetOf('courriel\nanne@exemple.fr\npaul@exemple.fr\n\nluc@exemple.fr')
    expect(watch(sheet)).to.deep.include({ lastRow: 5, notes: [] })
  })

  it('is above another table that is wider or narrower', () => {
    const sheet = sheetOf(`${CITIES}

Synthèse  |
Indicateur | Valeur
Sites      | 12
Agents     | 148`)
    expect(watch(sheet)).to.deep.include({
      lastRow: 4,
      others: [{ firstLine: 7, lastLine: 9 }],
    })
  })

  it('is found by the number of fields when another table follows without a gap', () => {
    const sheet = sheetOf(`
nom | ville | prix
a   | Brest | 12
b   | Dole  | 13
nom | prix
c   | 14
d   | 15
e   | 16
f   | 17
g   | 18`)
    const { verdicts, lastRow, others } = watch(sheet)
    expect(verdicts.slice(2, -1)).to.deep.equal(Array(5).fill('held'))
    expect(verdicts.at(-1)).to.equal('beyond')
    expect({ lastRow, others }).to.deep.equal({
      lastRow: 3,
      others: [{ firstLine: 4, lastLine: 9 }],
    })
  })

  it('is not at a header that is repeated for another page', () => {
    const sheet = sheetOf(`${CITIES}

Commune | Habitants | Superficie
Ussel   | 9192      | 50,4
Vannes  | 54020     | 32,3`)
    expect(watch(sheet)).to.deep.include({ lastRow: 8, others: [] })
  })
})

describe('the buffer of possible notes at the end of a table', () => {
  const notes = Array.from({ length: 9 }, (_, at) => `(${at}) une précision sans chiffres`)
  const sheet = sheetOf(`${CITIES}\n\n${notes.join('\n')}`)

  it('is released as rows when it is longer than notes can be', () => {
    const { verdicts, lastRow } = watch(sheet, 4, { rows: 5 })
    expect(verdicts).to.include.members(['held', 'rows'])
    expect(lastRow).to.equal(10)
  })

  it('is released as rows when a row follows that matches the columns', () => {
    const { verdicts, lastRow } = watch(sheetOf(`${CITIES}\n\n(1) note\nUssel | 9192 | 50,4`))
    expect(verdicts.slice(-2)).to.deep.equal(['held', 'rows'])
    expect(lastRow).to.equal(7)
  })

  it('never exceeds its limit, whatever follows', () => {
    const cell = fc.constantFrom('', '', '12', 'Source : x', 'Brest', '(1)', '-')
    const row = fc.array(cell, { minLength: 3, maxLength: 3 })
    fc.assert(
      fc.property(
        fc.array(row, { maxLength: 60 }),
        fc.integer({ min: 1, max: 9 }),
        (rows, most) => {
          const below = rows.map((cells, at) => ({ line: at + 5, cells }))
          const { verdicts } = watch([...sheetOf(CITIES), ...below], 4, { rows: most })
          let held = 0
          for (const [at, verdict] of verdicts.entries()) {
            const isBlank = (rows[at - 3] ?? ['']).every((text) => text === '') && at >= 3
            held = verdict === 'held' ? held + (isBlank ? 0 : 1) : 0
            expect(held).to.be.at.most(most)
          }
        },
      ),
    )
  })
})
