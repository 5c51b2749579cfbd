import { expect } from 'chai'

import { odsFormat } from '../../../../pipelines/readers/ods/index.ts'
import { failure, inChunks, readTable } from '../../../contracts/reader.ts'
import { odsFixtures } from '../../../support/fixtures.ts'
import { odsOf } from '../../../support/workbooks/ods.ts'
import { zip } from '../../../support/workbooks/zip-writer.ts'

const tableOf = (bytes: Buffer, options = {}) =>
  readTable(odsFormat, () => inChunks(bytes, 64 * 1024), { options })
const fixture = (name: string) => odsFixtures().find((one) => one.name === `${name}.ods`)!.bytes

describe('Values of OpenDocument', () => {
  it('are those that cells say they have, repeated cells and rows written out', async () => {
    const { headers, rows } = await tableOf(fixture('odfpy'))
    expect(headers).to.deep.equal(['Nom', 'Jour', 'Heure', 'Prix', 'Part', 'Payé', 'Vide'])
    const second = ['deux', '2024-02-29T12:00:00', '100:00:00.5', '7', '7', 'false', null]
    expect(rows).to.deep.equal([
      ['a   b\nc\nd', '2024-01-31', '08:30:00', '1234.5', '0.25', 'true', null],
      second,
      second,
      second,
    ])
  })

  it('of formulas are their results, and errors are none', async () => {
    const { rows } = await tableOf(fixture('libreoffice'))
    expect(rows).to.deep.equal([
      ['Amélie', '2024-01-31', '1234.5', '0.25', 'true', '5', 'AMÉLIE'],
      ['Zoé', '2024-02-29', '-7', '0.5', 'false', null, 'ZOÉ'],
    ])
  })

  it('of times are to the millisecond, since programs keep parts of a day', async () => {
    const time = (value: string) =>
      `<table:table-cell office:value-type="time" office:time-value="${value}"/>`
    const day = (value: string) =>
      `<table:table-cell office:value-type="date" office:date-value="${value}"/>`
    const cells = [
      [time('PT241H00M00.000000029S'), '241:00:00'],
      [time('PT12H30M00.99999936S'), '12:30:01'],
      [time('-PT23H59M59.250000001S'), '-23:59:59.25'],
      [time('PT8H30M'), '08:30:00'],
      [time('PT1H'), '01:00:00'],
      [time('-PT90M'), '-01:30:00'],
      [time('P1DT12H0.5S'), '36:00:00.5'],
      [time('P2D'), '48:00:00'],
      [time('P'), 'P'],
      [time('PT'), 'PT'],
      [day('2024-12-31T23:59:59.999999942'), '2025-01-01'],
      [day('1982-02-18T02:57:46.6'), '1982-02-18T02:57:46.600'],
      [day('9999-12-31T23:59:59.9999'), '9999-12-31T23:59:59'],
    ] as const
    const header = cells.map(
      (_, at) => `<table:table-cell><text:p>c${at}</text:p></table:table-cell>`,
    )
    const row = (inside: readonly string[]) =>
      `<table:table-row>${inside.join('')}</table:table-row>`
    const table = row(header) + row(cells.map(([cell]) => cell))
    const { rows } = await tableOf(odsOf(`<table:table table:name="1">${table}</table:table>`))
    expect(rows).to.deep.equal([cells.map(([, text]) => text)])
  })

  it('are booleans also where they stand in the place of numbers', async () => {
    const cell = '<table:table-cell office:value-type="boolean" office:value="false"/>'
    const header = '<table:table-cell><text:p>Payé</text:p></table:table-cell>'
    const row = (inside: string) => `<table:table-row>${inside}</table:table-row>`
    const table = row(header) + row(cell)
    const { rows } = await tableOf(odsOf(`<table:table table:name="1">${table}</table:table>`))
    expect(rows).to.deep.equal([['false']])
  })

  it('of other files, which formulas name, are no sheet', async () => {
    const table = (name: string, text: string) =>
      `<table:table table:name="${name}"><table:table-row><table:table-cell><text:p>${text}</text:p></table:table-cell></table:table-row></table:table>`
    const file = odsOf(table('&apos;file:///b.ods&apos;#Feuil1', 'b') + table('Feuil1', 'a'))
    expect((await tableOf(file)).headers).to.deep.equal(['a'])
  })

  it('of hidden sheets are read where they are named', async () => {
    const { headers } = await tableOf(fixture('odfpy'), { sheet: 'Cachée' })
    expect(headers).to.deep.equal(['rien'])
  })

  it('hold neither comments nor what is drawn over them', async () => {
    const aside =
      '<office:annotation><text:p>x</text:p></office:annotation><draw:frame><draw:text-box><text:p>y</text:p></draw:text-box></draw:frame>'
    const cell = `<table:table-cell>${aside}<text:p>a</text:p></table:table-cell>`
    const row = `<table:table-row>${cell}${cell}</table:table-row>`
    const { headers } = await tableOf(odsOf(`<table:table table:name="1">${row}</table:table>`))
    expect(headers).to.deep.equal(['a', 'a'])
  })
})

describe('OpenDocument files that are refused', () => {
  const row =
    '<table:table-row><table:table-cell><text:p>a</text:p></table:table-cell></table:table-row>'
  const often = row.replace('row>', 'row table:number-rows-repeated="1048575">')
  const wide = `<table:table-row table:number-rows-repeated="1000000"><table:table-cell table:number-columns-repeated="1500"><text:p>a</text:p></table:table-cell></table:table-row>`
  const refused: Readonly<Record<string, readonly [bytes: Buffer, says: RegExp]>> = {
    'a text document': [
      zip([
        { name: 'mimetype', content: 'application/vnd.oasis.opendocument.text', method: 'store' },
        { name: 'content.xml', content: '<x/>' },
      ]),
      /no spreadsheet/,
    ],
    'one with a password': [
      zip([
        {
          name: 'META-INF/manifest.xml',
          content: '<manifest:file-entry><manifest:encryption-data/></manifest:file-entry>',
        },
        { name: 'content.xml', content: Buffer.from([0xff, 0xfe, 0x80]) },
      ]),
      /password/,
    ],
    'one without a sheet': [odsOf(''), /no sheet/],
    'one that is cut': [odsOf(`<table:table table:name="1">${row}`), /damaged/],
    'one whose rows repeat beyond the sheet': [
      odsOf(`<table:table table:name="1">${row}${often}${often}</table:table>`),
      /below the last row/,
    ],
    'one that expands without end': [
      odsOf(`<table:table table:name="1">${row}${wide}</table:table>`),
      /expands to far more/,
    ],
    'a document type declaration': [
      zip([{ name: 'content.xml', content: '<!DOCTYPE x><office:body/>' }]),
      /DTD/,
    ],
  }
  for (const [name, [bytes, says]] of Object.entries(refused)) {
    it(name, async () => {
      const { message } = await failure(tableOf(bytes))
      expect(message).to.match(says)
    })
  }
})
