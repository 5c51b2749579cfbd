import { type BookType, utils, write } from '@e965/xlsx'
import { expect } from 'chai'
import * as fc from 'fast-check'
import iconv from 'iconv-lite'

import { ole2 } from '../../../../benchmarks/generators/ole2.ts'
import { xlsFormat } from '../../../../pipelines/readers/xls/index.ts'
import { failure, inChunks, readTable } from '../../../contracts/reader.ts'
import { xlsFixtures } from '../../../support/fixtures.ts'

const tableOf = (bytes: Buffer, options = {}) =>
  readTable(xlsFormat, () => inChunks(bytes, 64 * 1024), { options })
const fixture = (name: string) => xlsFixtures().find((one) => one.name === `${name}.xls`)!.bytes

/** The other program writes no accents in it: what it wrote in their place is replaced. */
function biff5(codePage: number, text: string): Buffer {
  const name = CODE_PAGES[codePage]!
  const encoded = iconv.encode(text, name)
  const stand = '~'.repeat(encoded.length)
  const book = utils.book_new()
  const sheet = utils.aoa_to_sheet([
    ['id', stand],
    [1, stand],
  ])
  utils.book_append_sheet(book, sheet, 'Feuil1')
  const bytes = write(book, { type: 'buffer', bookType: 'biff5' }) as Buffer
  for (let at = bytes.indexOf(stand); at !== -1; at = bytes.indexOf(stand, at)) {
    encoded.copy(bytes, at)
  }
  const record = bytes.indexOf(Buffer.from([0x42, 0, 2, 0]))
  expect(record, 'the record of the code page').to.be.greaterThan(0)
  bytes.writeUInt16LE(codePage, record + 4)
  return bytes
}

/** Of the password that Excel itself knows: the key, its hash, and what bytes are mixed with. */
const XOR_KEY = 0xb359
const XOR_HASH = 0x9a0a
const XOR_MASK = Buffer.from('3c5bd417f01f2813f04bb403c473a420', 'hex')

/** As Excel 95 encrypts, from the record of the window on, which becomes the one that says so. */
function encrypted(plain: Buffer): Buffer {
  const bytes = Buffer.from(plain)
  const begin = bytes.indexOf(Buffer.from([0x09, 0x08]))
  let isBehind = false
  let ends = 0
  for (let at = begin; ends < 2;) {
    const [type, length] = [bytes.readUInt16LE(at), bytes.readUInt16LE(at + 2)]
    const data = at + 4
    if (isBehind && type !== 0x809) {
      // Where a sheet begins stands in clear.
      for (let index = type === 0x85 ? 4 : 0; index < length; index++) {
        const mixed = bytes[data + index]! ^ XOR_MASK[(data - begin + length + index) % 16]!
        bytes[data + index] = (mixed >> 3) | (mixed << 5)
      }
    }
    if (type === 0x3d) {
      isBehind = true
      bytes.writeUInt16LE(0x2f, at)
      for (const [word, value] of [0, XOR_KEY, XOR_HASH].entries()) {
        bytes.writeUInt16LE(value, data + 2 * word)
      }
    }
    if (type === 0x0a) ends += 1
    at = data + length
  }
  return bytes
}

const CODE_PAGES: Readonly<Record<number, string>> = {
  1252: 'windows-1252',
  1251: 'windows-1251',
  10_000: 'macintosh',
  10_029: 'maccenteuro',
  850: 'cp850',
  932: 'shift_jis',
}

describe('Values of old workbooks', () => {
  it('are as the workbook shows them', async () => {
    const { headers, rows } = await tableOf(fixture('xlwt'))
    expect(headers.slice(0, 6)).to.deep.equal([
      'Ville',
      'Jour',
      'Heure',
      'Prix',
      'Code postal',
      'Payé',
    ])
    expect(rows.map((cells) => cells.slice(0, 6))).to.deep.equal([
      ['Besançon', '2024-01-31', '08:30:00', '12.5', '01000', 'true'],
      ['Zoé 😀', '2024-02-29T12:00:00', '23:59:59', '-0.1', '25000', 'false'],
      ['long '.repeat(2000), '1999-12-31', null, '1234567890123', '75001', null],
    ])
  })

  it('of hidden sheets are read where they are named', async () => {
    const { headers } = await tableOf(fixture('xlwt'), { sheet: 'listes' })
    expect(headers).to.deep.equal(['oui'])
  })

  it('count days from 1904 where the workbook does, and rows in their order', async () => {
    const { rows } = await tableOf(fixture('xlwt-1904'))
    expect(rows).to.have.length(500)
    expect(rows[0]).to.deep.equal(['1904-01-01T12:00:00', '499'])
    expect(rows[1]).to.deep.equal(['2018-12-28', '498'])
    expect(rows[499]).to.deep.equal([null, '0'])
  })

  it('are the same under the password that Excel itself knows', async () => {
    expect(await tableOf(fixture('default-password'))).to.deep.equal(
      await tableOf(fixture('libreoffice')),
    )
  })

  it('are the same under that password in the way of Excel 95', async () => {
    const bytes = biff5(1252, 'Œuf à 10 €')
    expect(await tableOf(encrypted(bytes))).to.deep.equal(await tableOf(bytes))
    const other = encrypted(bytes)
    const key = other.indexOf(Buffer.from([0, 0, XOR_KEY & 0xff, XOR_KEY >> 8]))
    other.writeUInt16LE(XOR_KEY + 1, key + 2)
    expect((await failure(tableOf(other))).message).to.match(/protected by a password/)
  })

  it('are read where a number format is damaged', async () => {
    const bytes = Buffer.from(fixture('xlwt'))
    const format = bytes.indexOf(Buffer.from([0x1e, 0x04]))
    expect(format, 'the record of a format').to.be.greaterThan(0)
    bytes.writeUInt16LE(0x3a00, format + 6)
    const { headers } = await tableOf(fixture('xlwt'))
    expect((await tableOf(bytes)).headers).to.deep.equal(headers)
  })

  it('are read where the workbook counts more texts than it has', async () => {
    const bytes = Buffer.from(fixture('libreoffice'))
    const texts = bytes.indexOf(Buffer.from([0xfc, 0, 76, 0, 9, 0, 0, 0, 9, 0, 0, 0]))
    expect(texts, 'the record of the texts').to.be.greaterThan(0)
    bytes.writeUInt32LE(900, texts + 8)
    expect(await tableOf(bytes)).to.deep.equal(await tableOf(fixture('libreoffice')))
  })

  const codePages: readonly (readonly [number, string])[] = [
    [1252, 'Œuf à 10 €'],
    [1251, 'Привет'],
    [10_000, 'Œuf à Besançon'],
    [10_029, 'Žižkov'],
    [850, 'Élève à Nîmes'],
    [932, '日本語'],
  ]
  for (const [codePage, text] of codePages) {
    it(`of BIFF5 are in the code page that the workbook names: ${codePage}`, async () => {
      const { headers, rows } = await tableOf(biff5(codePage, text))
      expect(headers).to.deep.equal(['id', text])
      expect(rows).to.deep.equal([['1', text]])
    })
  }

  const cell = fc.oneof(
    // The other program loses what is smaller, and what is larger.
    fc
      .double({ noNaN: true, noDefaultInfinity: true })
      .filter((value) => value === 0 || (Math.abs(value) > 1e-290 && Math.abs(value) < 1e290)),
    fc.integer(),
    fc.boolean(),
    fc.string({ unit: fc.constantFrom('a', 'B', '7', ' '), minLength: 1, maxLength: 300 }),
    fc.constant(null),
  )
  const kinds: readonly BookType[] = ['biff8', 'biff5']
  for (const bookType of kinds) {
    it(`are read back as another program wrote them: ${bookType}`, async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 40 }),
          async (given) => {
            const rows = given.map((cells, row) => [row, ...cells])
            const book = utils.book_new()
            const sheet = utils.aoa_to_sheet([['id', 'a', 'b', 'c'], ...rows])
            utils.book_append_sheet(book, sheet, 'Feuil1')
            const bytes = write(book, { type: 'buffer', bookType }) as Buffer
            const { rows: found } = await tableOf(bytes, { headerRow: 1 })
            // What is no text keeps its value, however it is written.
            const shown = found.map((cells, row) =>
              cells.map((text, at) =>
                typeof rows[row]![at] === 'number' && text !== null ? Number(text) : text,
              ),
            )
            const expected = rows.map((cells) =>
              cells.map((value) => (typeof value === 'boolean' ? String(value) : value)),
            )
            expect(shown).to.deep.equal(
              expected.map((cells) =>
                cells.map((value) => (typeof value === 'number' ? value + 0 : value)),
              ),
            )
          },
        ),
        { numRuns: 25 },
      )
    })
  }
})

describe('Files that are not valid old workbooks', () => {
  const refused: Readonly<Record<string, readonly [bytes: Buffer, says: RegExp]>> = {
    'an empty container': [ole2('Workbook'), /truncated or damaged/],
    'half a container': [fixture('xlwt').subarray(0, 3000), /truncated or damaged/],
    'a workbook that is cut': [fixture('xlwt').subarray(0, 9000), /truncated or damaged/],
  }
  for (const [name, [bytes, says]] of Object.entries(refused)) {
    it(`are refused: ${name}`, async () => {
      const { message } = await failure(tableOf(bytes))
      expect(message).to.match(says)
    })
  }
})
