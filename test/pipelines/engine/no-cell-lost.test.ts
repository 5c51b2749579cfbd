import { tmpdir } from 'node:os'
import { Readable } from 'node:stream'

import { expect } from 'chai'
import * as fc from 'fast-check'

import { createEngine, EngineError } from '../../../pipelines/index.ts'
import { patience } from '../../support/patience.ts'

const RUNS = 150
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

function written(of: typeof decorated extends fc.Arbitrary<infer Of> ? Of : never) {
  const { kinds, count, blanks, delimiter, quoted, end, titles, notes, isPadded, isApart } = of
  const around = (texts: readonly string[]) =>
    texts.map((text) => (isPadded ? text + delimiter.repeat(kinds.length - 1) : text))
  const gap = isApart ? [''] : []
  const lines = [...around(titles), ...(titles.length > 0 ? gap : [])]
  lines.push(NAMES.slice(0, kinds.length).join(delimiter))
  const cells: { text: string; line: number }[] = []
  for (let row = 0; row < count; row++) {
    if (row > 0 && of.gaps.includes(row)) lines.push('')
    const texts = kinds.map((kind, column) =>
      column > 0 && blanks.includes(row * NAMES.length + column) ? '' : CELLS[kind]!(row, column),
    )
    lines.push(
      texts
        .map((text, column) => (quoted.includes(kinds[column]!) ? `"${text}"` : text))
        .join(delimiter),
    )
    cells.push(...texts.filter(Boolean).map((text) => ({ text, line: lines.length })))
  }
  lines.push(...(notes.length > 0 ? gap : []), ...around(notes))
  return { text: lines.join(end), cells }
}

describe('a small table as a text, whatever stands around and between its lines', () => {
  const engine = createEngine({ tempDir: tmpdir() })

  it('has each of its cells in a row, or a warning or refusal that names the line', async () => {
    await fc.assert(
      fc.asyncProperty(decorated, async (table) => {
        const { text, cells } = written(table)
        const open = async () => Readable.from([Buffer.from(text)])
        const source = { kind: 'bytes', name: 'table.csv', open } as const
        const signal = patience()
        try {
          const rows = new Set<string | null>()
          for await (const some of engine.readCells(source, {}, signal)) {
            for (const row of some) for (const cell of row.cells) rows.add(cell.text)
          }
          const { warnings } = await engine.preview(source, {}, { limit: 100, signal })
          for (const cell of cells.filter((one) => !rows.has(one.text))) {
            const told = warnings.filter(({ line = Infinity }) => line <= cell.line)
            expect(told, `${cell.text}\n${text}`).to.have.length.above(0)
          }
        } catch (error) {
          if (!(error instanceof EngineError)) throw error
          expect(error.problem, text).to.have.property('line').that.is.a('number')
        }
      }),
      { numRuns: RUNS },
    )
  })
})
