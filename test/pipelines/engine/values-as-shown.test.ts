import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'

import { expect } from 'chai'

import { createEngine, type IngestOptions, type Preview } from '../../../pipelines/index.ts'
import { rawWorkbook } from '../../support/workbooks/raw-workbook.ts'

const FOLDER = join(import.meta.dirname, '../../fixtures/as-shown')
const engine = createEngine({ tempDir: tmpdir() })

function preview(content: Buffer, options: IngestOptions = {}): Promise<Preview> {
  const open = async () => Readable.from([content])
  const { signal } = new AbortController()
  return engine.preview({ kind: 'bytes', open }, options, { limit: 1000, signal })
}

const typesIn = ({ columns }: Preview) =>
  Object.fromEntries(columns.map(({ name, type }) => [name, type]))
const rowsIn = ({ rows }: Preview): unknown[][] =>
  rows.map((row) => row.map((cell) => (cell === null ? null : JSON.parse(cell))))
/** What is said of errors and formulas differs by the program that wrote them. */
const OF_ERRORS = ['repaired', 'formulas-without-results']
const warned = ({ warnings }: Preview) =>
  warnings
    .filter(({ code }) => !OF_ERRORS.includes(code))
    .map(({ code, column, line }) => [code, column ?? line ?? null])

/** A column of numbers, each with the number of its format. */
function columnOf(formats: readonly string[], cells: readonly (readonly [number, number])[]) {
  const rows = cells.map(([value, style]) => `<row><c s="${style + 1}"><v>${value}</v></c></row>`)
  const header = '<row><c t="inlineStr"><is><t>n</t></is></c></row>'
  const sheets = [{ rows: header + rows.join('') }]
  return rawWorkbook({ formats: [0, ...formats], sheets })
}

describe('values that a workbook shows otherwise than it keeps them', () => {
  const files = [
    'openpyxl.xlsx',
    'libreoffice.xlsx',
    'libreoffice.ods',
    'libreoffice.xls',
    'xlwt.xls',
  ]
  it('lack the results of all formulas where the program cannot calculate', async () => {
    const formulasOf = async (file: string) =>
      (await preview(readFileSync(join(FOLDER, file)))).warnings
        .filter(({ code }) => code === 'formulas-without-results')
        .map(({ message }) => message)
    expect(await formulasOf('libreoffice.xls')).to.deep.equal([])
    expect(await formulasOf('xlwt.xls')).to.have.length(1)
    expect((await formulasOf('xlwt.xls'))[0]).to.match(/^5 formulas have no result in the file/)
  })

  for (const file of files) {
    it(`are the same in ${file}`, async () => {
      const seen = await preview(readFileSync(join(FOLDER, file)))
      expect(typesIn(seen)).to.deep.equal({
        Nom: 'text',
        CP: 'text',
        Téléphone: 'text',
        Quantité: 'number',
        Jour: 'date',
        Actif: 'boolean',
        Erreur: 'text',
        Mêlé: 'number',
      })
      expect(rowsIn(seen)).to.deep.equal([
        ['Amélie', '01000', '06 12 34 56 78', 5, null, true, null, 7],
        ['Zoé', '75001', '01 02 03 04 05', 12, null, false, null, 12],
        ['Noé', '25000', '01 45 67 89 10', 7, '2024-01-31', true, null, null],
        ['Ève', '06000', '03 98 76 54 32', 9, null, false, null, null],
        ['Léa', '13001', '04 91 00 00 00', 3, '2024-02-01', true, null, 100],
      ])
      expect(warned(seen)).to.deep.equal([
        ['other-sheets', null],
        ['hidden-rows', 3],
        ['digits-as-shown', 'CP'],
        ['digits-as-shown', 'Téléphone'],
        ['placeholder-dates', 'Jour'],
      ])
      const hidden = await preview(readFileSync(join(FOLDER, file)), { sheet: 'Listes' })
      expect(hidden.columns[0]!.name).to.equal('oui')
      expect(warned(hidden)).to.deep.equal([['hidden-sheet', null]])
    })
  }

  it('are read in hidden rows of an HTML table, too', async () => {
    const row = (style: string, value: number) => `<tr ${style}><td>${value}</td><td>a</td></tr>`
    const hidden = "height=0 style='display:none'"
    const page = [
      '<table><tr><th>id</th><th>nom</th></tr>',
      row('', 1),
      row(hidden, 2),
      row('hidden', 3),
      `<tr ${hidden}><td></td><td></td></tr></table>`,
    ]
    const seen = await preview(Buffer.from(page.join('')))
    expect(rowsIn(seen).map(([id]) => id)).to.deep.equal([1, 2, 3])
    expect(warned(seen)).to.deep.equal([['hidden-rows', 3]])
  })

  it('are numbers where the request says so, and text where it says that', async () => {
    const bytes = columnOf(
      ['0# ## ## ## ##', '00000'],
      [
        [612345678, 0],
        [1000, 1],
      ],
    )
    const typed = (type: 'number' | 'text') => preview(bytes, { columns: [{ name: 'n', type }] })
    expect(rowsIn(await typed('number'))).to.deep.equal([[612345678], [1000]])
    expect(rowsIn(await typed('text'))).to.deep.equal([['06 12 34 56 78'], ['01000']])
  })

  it('are text where a sign stands between the digits, and numbers where it is white space', async () => {
    const shownIn = async (format: string) =>
      rowsIn(
        await preview(
          columnOf(
            [format],
            [
              [4227200558, 0],
              [4227200589, 0],
            ],
          ),
        ),
      ).flat()
    expect(await shownIn('00000\\-00000')).to.deep.equal(['42272-00558', '42272-00589'])
    expect(await shownIn('0\\ 000\\ 000\\ 000')).to.deep.equal([4227200558, 4227200589])
  })

  const columns: Readonly<
    Record<string, readonly [string[], (readonly [number, number])[], unknown[]]>
  > = {
    'no leading zero is shown': [
      ['00000'],
      [
        [75001, 0],
        [13001, 0],
      ],
      [75001, 13001],
    ],
    'some numbers have no such format': [
      ['00000'],
      [
        [1000, 0],
        [5, -1],
      ],
      [1000, 5],
    ],
    'a number is no whole one': [
      ['00000'],
      [
        [1000, 0],
        [5.5, 0],
      ],
      [1000, 5.5],
    ],
    'a number is negative': [
      ['00000'],
      [
        [1000, 0],
        [-5, 0],
      ],
      [1000, -5],
    ],
    'there are decimals': [
      ['000.00'],
      [
        [1, 0],
        [5, 0],
      ],
      [1, 5],
    ],
    'there are thousands': [
      ['0,000'],
      [
        [1, 0],
        [5, 0],
      ],
      [1, 5],
    ],
  }
  for (const [name, [formats, cells, expected]] of Object.entries(columns)) {
    it(`are numbers where ${name}`, async () => {
      const seen = await preview(columnOf(formats, cells))
      expect(rowsIn(seen).flat()).to.deep.equal(expected)
      expect(warned(seen)).to.deep.equal([])
    })
  }

  it('are text as shown in each notation of fixed digits', async () => {
    const formats = ['"F-"00000', '00\\-00', '[$-40C]000', '00_)', '00;[Red]-00']
    for (const [format, shown] of formats.map((one, at) => [
      one,
      ['F-00007', '00-07', '007', '07', '07'][at],
    ])) {
      const seen = await preview(
        columnOf(
          [format!],
          [
            [7, 0],
            [7, 0],
          ],
        ),
      )
      expect(rowsIn(seen), format).to.deep.equal([[shown], [shown]])
    }
  })
})
