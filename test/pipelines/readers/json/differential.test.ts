import { Readable } from 'node:stream'

import { expect } from 'chai'
import * as fc from 'fast-check'
import streamArray from 'stream-json/streamers/stream-array.js'
import streamValues from 'stream-json/streamers/stream-values.js'

import { CellKind } from '../../../../pipelines/core/batch.ts'
import { readJson, type Table } from './read-json.ts'

const LAYOUTS = ['array', 'sequence'] as const
type Layout = (typeof LAYOUTS)[number]

/** Text that is valid in JSON and in a database: neither NUL nor halves of surrogate pairs. */
const text = fc
  .string({ unit: 'binary', maxLength: 12 })
  .map((made) => made.toWellFormed().replaceAll('\0', '?'))

const value = fc.letrec((tie) => ({
  scalar: fc.oneof(
    text,
    fc.boolean(),
    fc.constant(null),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer(),
  ),
  any: fc.oneof(
    { depthSize: 'small' },
    tie('scalar'),
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(text, tie('any'), { maxKeys: 4 }),
  ),
})).any

const key = fc.oneof(text, fc.constantFrom('id', 'nom', '__proto__', 'constructor', 'é"\\'))
const record = fc.dictionary(key, value, { minKeys: 1, maxKeys: 6 })
const spaces = fc.array(fc.constantFrom('', ' ', '\n', '\t', '\r\n'), {
  minLength: 7,
  maxLength: 7,
})

/** The same value in one of its many spellings: white space and escapes wherever they may stand. */
function spell(given: unknown, gaps: readonly string[], escapeEvery: number): string {
  let place = 0
  const gap = () => {
    place += 1
    return gaps[place % gaps.length]!
  }
  const string = (plain: string) =>
    `"${Array.from({ length: plain.length }, (_, k) => {
      const code = plain.charCodeAt(k)
      const mustEscape = code < 0x20 || code === 0x22 || code === 0x5c
      const wantsEscape = (code >= 0xd800 && code <= 0xdfff ? 0 : k) % escapeEvery === 1
      return mustEscape || wantsEscape ? `\\u${code.toString(16).padStart(4, '0')}` : plain[k]!
    }).join('')}"`
  const write = (item: unknown): string => {
    if (typeof item === 'string') return string(item)
    if (Array.isArray(item)) return `[${gap()}${item.map(write).join(`${gap()},${gap()}`)}${gap()}]`
    if (typeof item !== 'object' || item === null) return JSON.stringify(item)
    const members = Object.entries(item).map(
      ([name, member]) => `${string(name)}${gap()}:${gap()}${write(member)}`,
    )
    return `{${gap()}${members.join(`${gap()},${gap()}`)}${gap()}}`
  }
  return write(given)
}

async function reference(json: string, layout: Layout): Promise<unknown[]> {
  const stream =
    layout === 'array'
      ? streamArray.withParserAsStream()
      : streamValues.withParserAsStream({ jsonStreaming: true })
  const values: unknown[] = []
  Readable.from([json]).pipe(stream)
  for await (const item of stream) values.push((item as { value: unknown }).value)
  return values
}

/** Keys by code unit, at every level; written again with nothing of the engine. */
function canonicalJson(given: unknown): string {
  if (Array.isArray(given)) return `[${given.map(canonicalJson).join(',')}]`
  if (typeof given !== 'object' || given === null) return JSON.stringify(given)
  const members = Object.entries(given)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`)
  return `{${members.join(',')}}`
}

type Entry = readonly [key: string, cell: unknown]

/** Cells without the nulls, in the order of their keys; nested ones as canonical JSON. */
function comparable(entries: readonly Entry[]): Entry[] {
  return entries
    .filter(([, cell]) => cell !== null)
    .map(([name, cell]): Entry => [name, comparableCell(cell)])
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
}

function comparableCell(cell: unknown): unknown {
  if (typeof cell === 'object') return { json: canonicalJson(cell) }
  return Object.is(cell, -0) ? 0 : cell
}

function entriesOf(table: Table, row: number): Entry[] {
  return table.headers.map((header, column): Entry => {
    const cell = table.rows[row]?.[column] ?? null
    const kind = Number(table.kinds[row]?.[column] ?? CellKind.text)
    return [header!, cell === null || kind === CellKind.text ? cell : JSON.parse(cell)]
  })
}

describe('JSON reader: against stream-json', () => {
  for (const layout of LAYOUTS) {
    it(`reads the same cells from any spelling of an ${layout} of objects`, async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(record, { minLength: 1, maxLength: 6 }),
          spaces,
          fc.integer({ min: 2, max: 9 }),
          fc.integer({ min: 1, max: 40 }),
          async (records, gaps, escapeEvery, pieceBytes) => {
            const spelled = records.map((item) => spell(item, gaps, escapeEvery))
            const json = layout === 'array' ? `[${spelled.join(',')}]` : spelled.join('\n')
            // A single object might hold the array of objects that is then taken for the rows.
            const table = await readJson(json, { pieceBytes, options: { path: '' } })
            const expected = await reference(json, layout)
            expect(table.faults).to.deep.equal({})
            expect(table.rows.map((_, row) => comparable(entriesOf(table, row)))).to.deep.equal(
              expected.map((item) => comparable(Object.entries(item as object))),
            )
          },
        ),
        { numRuns: 300 },
      )
    })
  }

  it('refuses or accepts what JSON.parse does, cut or changed at any byte', async () => {
    const whole = '[{"a":"x\\u00e9\\n","b":[1,{"c":-0.5e+3}],"d":true},{"a":null,"d":12}]'
    await fc.assert(
      fc.asyncProperty(
        fc.nat(whole.length - 1),
        fc.constantFrom('', ...'{}[]",:0-.eE\\u tn'),
        async (at, put) => {
          const json = whole.slice(0, at) + put + whole.slice(at + 1)
          const isValid = isJson(json)
          const isRead = await readJson(json, { options: { path: '' } }).then(
            () => true,
            () => false,
          )
          expect(isRead, json).to.equal(isValid)
        },
      ),
      { numRuns: 1000 },
    )
  })
})

function isJson(json: string): boolean {
  try {
    return Array.isArray(JSON.parse(json))
  } catch {
    return false
  }
}
