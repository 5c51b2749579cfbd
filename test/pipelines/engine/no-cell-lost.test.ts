import { tmpdir } from 'node:os'
import { Readable } from 'node:stream'

import { expect } from 'chai'
import * as fc from 'fast-check'

import { createEngine, EngineError } from '../../../pipelines/index.ts'
import { patience } from '../../support/patience.ts'

const RUNS = 150
const SEED = 38
const TOWNS = ['Brest', 'Dole', 'Figeac', 'Vire', 'Ussel', 'Vannes', 'Thiers', 'Sète', 'Gap', 'Dax']
const NAMES = ['Nom', 'Valeur', 'Lieu', 'Code', 'Jour', 'Note']
const letter = (row: number) => 'abcdefghijkl'[row]!

/** Cells that occur once each, so that none can be missed. */
const CELLS: Readonly<Record<string, (row: number, column: number) => string>> = {
  word: (row, column) => `${TOWNS[(row * 3 + column) % TOWNS.length]!}${letter(row)}${column}`,
  number: (row, column) => String(1300 + row * 91 + column),
  decimal: (row, column) => `${100 + row * 7 + column}.5`,
  code: (row, column) => `AB-${100 + row * 7 + column}`,
  date: (row, column) => `20${10 + column}-01-${10 + row}`,
  phrase: (row, column) => `rue ${TOWNS[row % TOWNS.length]!} ${letter(row)}${column} basse`,
}

/** A small table, and what programs and people put around and between its lines. */
const decorated = fc.record({
  kinds: fc.array(fc.constantFrom(...Object.keys(CELLS)), {
    minLength: 2,
    maxLength: NAMES.length,
  }),
  count: fc.integer({ min: 3, max: 12 }),
  blanks: fc.array(fc.nat(71), { maxLength: 12 }),
  delimiter: fc.constantFrom(',', ';', '\t', '|'),
  quoted: fc.constantFrom('', 'word phrase', Object.keys(CELLS).join(' ')),
  end: fc.constantFrom('\n', '\r\n'),
  titles: fc.array(fc.constantFrom('Communes du département', 'Export', 'Liste 2024'), {
    maxLength: 2,
  }),
  notes: fc.array(fc.constantFrom('Source : préfecture', '* provisoire', 'Fin', '23'), {
    maxLength: 2,
  }),
  isPadded: fc.boolean(),
  isApart: fc.boolean(),
  gaps: fc.array(fc.nat(12), { maxLength: 2 }),
})

type Decorated = typeof decorated extends fc.Arbitrary<infer Of> ? Of : never

/** Its lines, those of the table in their cells, and where each cell of it stands. */
function linesOf({ kinds, count, blanks, gaps, titles, notes, isApart }: Decorated) {
  const gap = isApart ? [['']] : []
  const alone = (texts: readonly string[]) => texts.map((text) => [text])
  const lines: string[][] = [...alone(titles), ...(titles.length > 0 ? gap : [])]
  lines.push(NAMES.slice(0, kinds.length))
  const cells: { text: string; line: number }[] = []
  for (let row = 0; row < count; row++) {
    if (row > 0 && gaps.includes(row)) lines.push([''])
    const texts = kinds.map((kind, column) =>
      column > 0 && blanks.includes(row * NAMES.length + column) ? '' : CELLS[kind]!(row, column),
    )
    lines.push(texts)
    cells.push(...texts.filter(Boolean).map((text) => ({ text, line: lines.length })))
  }
  lines.push(...(notes.length > 0 ? gap : []), ...alone(notes))
  return { lines, cells }
}

type Write = (lines: readonly (readonly string[])[], of: Decorated) => string

const FORMATS: Readonly<Record<string, Write>> = {
  csv(lines, { kinds, delimiter, quoted, end, isPadded }) {
    const written = lines.map((cells) => {
      if (cells.length < kinds.length) {
        return cells[0] !== '' && isPadded
          ? cells[0] + delimiter.repeat(kinds.length - 1)
          : cells[0]
      }
      const isRow = cells[0] !== NAMES[0]
      return cells
        .map((text, column) => (isRow && quoted.includes(kinds[column]!) ? `"${text}"` : text))
        .join(delimiter)
    })
    return written.join(end)
  },
  html(lines, { kinds }) {
    const row = (cells: readonly string[]) =>
      cells.length < kinds.length
        ? `<tr><td colspan="${kinds.length}">${cells[0]}</td></tr>`
        : `<tr>${cells.map((text) => `<td>${text}</td>`).join('')}</tr>`
    return `<html><body><table>${lines.map(row).join('\n')}</table></body></html>`
  },
  'xml-spreadsheet'(lines) {
    const row = (cells: readonly string[]) =>
      `<Row>${cells.map((text) => `<Cell><Data ss:Type="String">${text}</Data></Cell>`).join('')}</Row>`
    return (
      '<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" ' +
      'xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet ss:Name="a">' +
      `<Table>${lines.map(row).join('')}</Table></Worksheet></Workbook>`
    )
  },
  'fixed width'(lines, { kinds, end }) {
    const widths = kinds.map((_, column) =>
      Math.max(...lines.map((cells) => (cells.length > 1 ? cells[column]!.length : 0))),
    )
    return lines
      .map((cells) =>
        cells.length < kinds.length
          ? cells[0]
          : cells.map((text, column) => text.padEnd(widths[column]! + 3)).join(''),
      )
      .join(end)
  },
}

/** In a text of fixed width columns may be cut where no blanks divide them; no character is lost. */
function isLostIn(rows: readonly string[], format: string): (text: string) => boolean {
  const cells = new Set(rows)
  const whole = rows.join('').replaceAll(' ', '')
  return format === 'fixed width'
    ? (text) => !whole.includes(text.replaceAll(' ', ''))
    : (text) => !cells.has(text)
}

describe('a small table as a text, whatever stands around and between its lines', () => {
  const engine = createEngine({ tempDir: tmpdir() })

  for (const [format, write] of Object.entries(FORMATS)) {
    it(`has each of its cells in a row, or a warning or refusal that names the line: ${format}`, async () => {
      await fc.assert(
        fc.asyncProperty(decorated, async (table) => {
          const { lines, cells } = linesOf(table)
          const text = write(lines, table)
          const open = async () => Readable.from([Buffer.from(text)])
          const source = { kind: 'bytes', name: 'table.txt', open } as const
          const signal = patience()
          try {
            const rows: string[] = []
            for await (const some of engine.readCells(source, {}, signal)) {
              for (const row of some) rows.push(...row.cells.map((cell) => cell.text ?? ''))
            }
            const { warnings } = await engine.preview(source, {}, { limit: 100, signal })
            const isLost = isLostIn(rows, format)
            for (const cell of cells.filter((one) => isLost(one.text))) {
              const told = warnings.filter(({ line = Infinity }) => line <= cell.line)
              expect(told, `${cell.text}\n${text}`).to.have.length.above(0)
            }
          } catch (error) {
            if (!(error instanceof EngineError)) throw error
            expect(error.problem, text).to.have.property('line').that.is.a('number')
          }
        }),
        { numRuns: RUNS, seed: SEED },
      )
    })
  }
})
