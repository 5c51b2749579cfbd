import { expect } from 'chai'
import * as fc from 'fast-check'

import { findTable } from '../../../pipelines/outline/find-table.ts'
import type { SheetRow } from '../../../pipelines/outline/sheet-row.ts'

const RUNS = 1000

const digits = (min: number, max: number) => fc.integer({ min, max }).map(String)
const word = fc.constantFrom(
  'Brest',
  'Saint-Étienne',
  'Le Mans',
  'actif',
  'en attente',
  'DUPONT',
  'Mairie de Dole',
  'oui',
  'source',
  'total',
  'Zoé',
)

/** Cells of a column, by what it holds. */
const COLUMNS: Readonly<Record<string, fc.Arbitrary<string>>> = {
  numbers: digits(-50, 90_000),
  decimals: fc.tuple(digits(0, 999), digits(0, 99)).map(([whole, part]) => `${whole},${part}`),
  amounts: digits(1, 9_999_999).map((amount) => `${Number(amount).toLocaleString('fr')} €`),
  years: digits(1990, 2024),
  dates: fc.tuple(digits(1, 28), digits(1, 12)).map(([day, month]) => `${day}/${month}/2023`),
  times: fc.tuple(digits(0, 23), digits(10, 59)).map(([hour, minute]) => `${hour}:${minute}`),
  codes: fc.tuple(fc.constantFrom('A', 'MG-', '2A'), digits(1, 999)).map((parts) => parts.join('')),
  words: word,
  sentences: fc.array(word, { minLength: 6, maxLength: 14 }).map((words) => words.join(' ')),
  mixed: fc.oneof(word, digits(0, 99), fc.constantFrom('-', 'n.d.', '12 bis', '(3)')),
  seldom: fc.oneof(fc.constant(''), fc.constant(''), fc.constant(''), word),
}

const name = fc
  .tuple(
    fc.constantFrom('Nom', 'Date', 'Montant', 'Code', 'Ville', 'T1 2022', 'prix', 'Âge'),
    fc.nat(99),
  )
  .map(([base, number]) => `${base} ${number}`)

interface PlainTable {
  readonly rows: readonly SheetRow[]
  readonly names: readonly string[]
}

/** One full line of distinct names, then rows of which the last fills every column. */
const plainTable: fc.Arbitrary<PlainTable> = fc
  .uniqueArray(name, { minLength: 2, maxLength: 9 })
  .chain((names) => {
    const kinds = fc.array(fc.constantFrom(...Object.keys(COLUMNS)), {
      minLength: names.length,
      maxLength: names.length,
    })
    return kinds.chain((of) => {
      const full = fc.tuple(...of.map((kind) => COLUMNS[kind]!))
      const holed = fc
        .tuple(full, fc.array(fc.boolean(), { minLength: of.length, maxLength: of.length }))
        .map(([cells, isBlank]) => cells.map((cell, at) => (isBlank[at]! ? '' : cell)))
      const blank = fc.constant(names.map(() => ''))
      const row = fc.oneof({ weight: 8, arbitrary: full }, { weight: 2, arbitrary: holed }, blank)
      const last = full.map((cells) => cells.map((cell) => (cell === '' ? 'x' : cell)))
      return fc.tuple(fc.array(row, { maxLength: 50 }), last).map(([rows, end]) => ({
        names,
        rows: [names, ...rows, end].map((cells, at) => ({ line: at + 1, cells })),
      }))
    })
  })

describe('a table whose first line is full of distinct names', () => {
  it('has its header there', () => {
    fc.assert(
      fc.property(plainTable, ({ rows, names }) => {
        const table = findTable(rows)!
        expect(table.header).to.deep.equal([1])
        expect(table.titles).to.deep.equal([])
        expect(table.names).to.deep.equal(names)
        expect(table.above).to.deep.equal([])
      }),
      { numRuns: RUNS },
    )
  })

  it('loses no row, whatever its rows hold', () => {
    fc.assert(
      fc.property(plainTable, ({ rows }) => {
        const { endWatch } = findTable(rows)!
        for (const row of rows.slice(1)) endWatch.take(row)
        const nothing = { notes: [], doubtful: [], others: [] }
        expect(endWatch.end()).to.deep.equal({ lastRow: rows.length, ...nothing })
      }),
      { numRuns: RUNS },
    )
  })

  it('is read alike from its first rows and from all of them', () => {
    fc.assert(
      fc.property(plainTable, fc.integer({ min: 2, max: 20 }), ({ rows, names }, sample) => {
        const table = findTable(rows.slice(0, sample))!
        expect(table.header).to.deep.equal([1])
        expect(table.names).to.deep.equal(names)
        for (const row of rows.slice(1)) table.endWatch.take(row)
        expect(table.endWatch.end().lastRow).to.equal(rows.length)
      }),
      { numRuns: RUNS },
    )
  })
})
