import { join } from 'node:path'

import { expect } from 'chai'
import ExcelJS from 'exceljs'
import * as fc from 'fast-check'

import { readTable, withFolder } from '../../../support/workbooks/read-table.ts'

/** What a cell is given, and the text that must come out. */
interface Sample {
  readonly value: ExcelJS.CellValue
  readonly numFmt?: string
  readonly expected: string | null
}

/** Excel has no characters below a space but these, and exceljs drops what XML cannot hold. */
const words = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
  .map((text) => `x${text.replaceAll(/[\p{Cc}\p{Cn}]/gu, '')}`)

const day = fc
  .date({ min: new Date('1900-03-01'), max: new Date('2199-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))

const sample: fc.Arbitrary<Sample> = fc.oneof(
  words.map((value) => ({ value, expected: value })),
  fc.integer().map((value) => ({ value, expected: String(value) })),
  fc
    .double({ min: -1e15, max: 1e15, noNaN: true })
    .filter((value) => value === 0 || Math.abs(value) > 1e-6)
    .map((value) => ({ value, expected: value === 0 ? '0' : String(value) })),
  fc.boolean().map((value) => ({ value, expected: String(value) })),
  day.map((text) => ({
    value: new Date(`${text}T00:00:00Z`),
    numFmt: 'dd/mm/yyyy',
    expected: text,
  })),
  fc
    .tuple(day, fc.integer({ min: 1, max: 86_399 }))
    .map(([text, seconds]) => new Date(Date.parse(text) + seconds * 1000))
    .map((value) => ({
      value,
      numFmt: 'yyyy-mm-dd hh:mm:ss',
      expected: value.toISOString().replace('.000Z', ''),
    })),
  // One rich text for all: the writer takes any two of them for the same shared string.
  fc.constant<Sample>({
    value: { richText: [{ text: 'gras ', font: { bold: true } }, { text: 'et maigre' }] },
    expected: 'gras et maigre',
  }),
  fc.integer().map((result) => ({ value: { formula: 'A1', result }, expected: String(result) })),
  words.map((result) => ({ value: { formula: 'A1', result }, expected: result })),
  fc.constant<Sample>({ value: { error: '#N/A' }, expected: null }),
  words.map((text) => ({ value: { text, hyperlink: 'https://example.org' }, expected: text })),
  fc.constant<Sample>({ value: null, expected: null }),
)

describe('workbooks that exceljs writes', () => {
  it('are read as they were written', async () => {
    await withFolder(async (folder) => {
      const rowsOfThree = fc.array(fc.tuple(sample, sample, sample), {
        minLength: 1,
        maxLength: 30,
      })
      await fc.assert(
        fc.asyncProperty(rowsOfThree, fc.boolean(), async (rows, shared) => {
          const path = join(folder, 'written.xlsx')
          await write(path, rows, shared)
          const table = await readTable(path)
          expect(table.headers).to.deep.equal(['a', 'b', 'c', 'fin'])
          expect(table.rows).to.deep.equal(
            rows.map((row) => [...row.map(({ expected }) => expected), 'fin']),
          )
        }),
        { numRuns: 60 },
      )
    })
  })

  it('read the same as with its own reader', async () => {
    await withFolder(async (folder) => {
      const path = join(folder, 'both.xlsx')
      const samples = fc.sample(fc.tuple(sample, sample, sample), { numRuns: 400, seed: 7 })
      await write(path, samples, true)
      const reference = new ExcelJS.Workbook()
      await reference.xlsx.readFile(path)
      const table = await readTable(path)
      table.rows.forEach((row, index) => {
        row.forEach((text, column) => {
          const cell = reference.worksheets[0]!.getCell(index + 2, column + 1)
          expect(text, cell.address).to.equal(shown(cell.value))
        })
      })
    })
  })
})

async function write(
  path: string,
  rows: readonly (readonly Sample[])[],
  shared: boolean,
): Promise<void> {
  const workbook = new ExcelJS.stream.xlsx.WorkbookWriter({
    filename: path,
    useStyles: true,
    useSharedStrings: shared,
  })
  const sheet = workbook.addWorksheet('Feuil1')
  sheet.addRow(['a', 'b', 'c', 'fin']).commit()
  for (const row of rows) {
    const written = sheet.addRow([...row.map(({ value }) => value), 'fin'])
    row.forEach(({ numFmt }, column) => {
      if (numFmt !== undefined) written.getCell(column + 1).numFmt = numFmt
    })
    written.commit()
  }
  await workbook.commit()
}

function shown(value: ExcelJS.CellValue): string | null {
  if (value === null || value === undefined) return null
  if (value instanceof Date) {
    return value.toISOString().replace('T00:00:00.000Z', '').replace('.000Z', '')
  }
  if (typeof value !== 'object') return Object.is(value, -0) ? '0' : String(value)
  if ('error' in value) return null
  if ('richText' in value) return value.richText.map(({ text }) => text).join('')
  if ('result' in value) {
    return typeof value.result === 'string' ? value.result : JSON.stringify(value.result)
  }
  return 'text' in value ? value.text : null
}
