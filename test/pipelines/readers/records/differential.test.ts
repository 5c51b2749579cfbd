import { expect } from 'chai'
import * as fc from 'fast-check'

import { CellKind, cellText, NULL_CELL } from '../../../../pipelines/core/batch.ts'
import { DEFAULT_LIMITS } from '../../../../pipelines/core/limits.ts'
import { canonicalDecimal } from '../../../../pipelines/json/decimal.ts'
import { openRecords } from '../../../../pipelines/readers/records/open-records.ts'
import { normaliseHeaders } from '../../../../pipelines/headers/sql-names.ts'

const SHAPE = { rows: 'items', values: 'values', beside: ['next', 'total'] } as const
/** One key has two columns. */
const COLUMNS = ['a', 'id', 'a', 'é"\\', 'toString'].map((key, n) => ({ key, label: `${key}${n}` }))

/** A number as it was written: `JSON.parse` would round it. */
class Digits {
  readonly written: string
  constructor(written: string) {
    this.written = written
  }
}

/** A JSON value that may say the same key twice. */
type Told = string | boolean | null | Digits | readonly Told[] | { readonly members: Members }
type Members = readonly (readonly [key: string, value: Told])[]

const NUMBERS = ['0', '-0', '0.0', '-0.00', '0e0', '-1.50', '1e5', '1E+400', '5e-7', '1e4000']
const number = fc
  .oneof(
    fc.constantFrom(...NUMBERS, '12345678901234567890', '0.1234567890123456789', '-10E-2'),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((made) => JSON.stringify(made)),
  )
  .map((written) => new Digits(written))
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom('', '\0', '\ud83d', '\ude00x', '😀', 'é'.repeat(40), 'x'.repeat(90), '"\\/\b\n'),
)
const key = fc.oneof(
  fc.constantFrom('a', 'id', 'name', 'url', 'size', '', '1', '0', '__proto__', 'toString', 'é"\\'),
  fc
    .string({ unit: 'binary', maxLength: 4 })
    .map((made) => made.toWellFormed().replaceAll('\0', '?')),
)

const { any } = fc.letrec<{ any: Told; members: Members }>((tie) => ({
  any: fc.oneof(
    { depthSize: 'small' },
    text,
    number,
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('any'), { maxLength: 3 }),
    tie('members').map((members) => ({ members })),
  ),
  members: fc.array(fc.tuple(key, tie('any')), { maxLength: 6 }),
}))
const members = fc.array(fc.tuple(key, any), { maxLength: 6 })

/** At a place among others that the reader has no use for. */
const among = (name: string, wanted: fc.Arbitrary<Told>): fc.Arbitrary<Told> =>
  fc.tuple(wanted, members, members).map(([value, before, after]) => {
    const others = (list: Members) => list.map(([other, told]) => [`${other}.`, told] as const)
    return { members: [...others(before), [name, value], ...others(after)] }
  })
const record = among(
  'values',
  members.map((list) => ({ members: list })),
)
const page = fc
  .tuple(among('items', fc.array(record, { maxLength: 5 })), any, any)
  .map(([told, next, total]): Told => {
    const { members: list } = told as { members: Members }
    return { members: [['next', next], ...list, ['total', total]] }
  })

interface Spelling {
  readonly gaps: readonly string[]
  readonly escapeEvery: number
}

/** White space and escapes wherever they may stand. */
function spell(told: Told, { gaps, escapeEvery }: Spelling): string {
  let place = 0
  const gap = () => gaps[place++ % gaps.length]!
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  const character = (plain: string) => {
    const mustEscape = plain < ' ' || plain === '"' || plain === '\\' || !plain.isWellFormed()
    return mustEscape || place++ % escapeEvery === 1 ? plain.split('').map(escaped).join('') : plain
  }
  const string = (plain: string) => `"${Array.from(plain, character).join('')}"`
  const within = (open: string, inner: readonly string[], close: string) =>
    `${open}${gap()}${inner.join(`${gap()},${gap()}`)}${gap()}${close}`
  const write = (value: Told): string => {
    if (typeof value === 'string') return string(value)
    if (value instanceof Digits) return value.written
    if (Array.isArray(value)) return within('[', value.map(write), ']')
    if (typeof value !== 'object' || value === null) return String(value)
    const list = (value as { members: Members }).members
    const written = list.map(([name, it]) => `${string(name)}${gap()}:${gap()}${write(it)}`)
    return within('{', written, '}')
  }
  return `${gap()}${write(told)}${gap()}`
}

interface Parsed {
  readonly items: readonly { readonly values: Readonly<Record<string, unknown>> }[]
}

function parse(json: string): Parsed {
  const withDigits = (_key: string, value: unknown, { source }: { source?: string } = {}) =>
    typeof value === 'number' ? new Digits(source!) : value
  return JSON.parse(json, withDigits) as Parsed
}

const kept = (plain: string) => plain.toWellFormed().replaceAll('\0', '\ufffd')
const quoted = (plain: string) => JSON.stringify(kept(plain))

/** Written again with nothing of the engine. */
function canonicalJson(value: unknown): string {
  if (typeof value === 'string') return quoted(value)
  if (value instanceof Digits) return value.written
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  const entries = new Map<string, unknown>(Object.entries(value))
  const { id, name } = Object.fromEntries(entries)
  const isNamed = (typeof id === 'string' || id instanceof Digits) && typeof name === 'string'
  const isFile = isNamed && (entries.has('url') || entries.has('size'))
  const shown = isFile ? ['id', 'name'] : [...entries.keys()].toSorted()
  return `{${shown.map((k) => `${quoted(k)}:${canonicalJson(entries.get(k))}`).join(',')}}`
}

function expectedCell(value: unknown): readonly [string | null, CellKind] {
  if (value === null || value === undefined) return [null, CellKind.text]
  if (typeof value === 'string') return [kept(value), CellKind.text]
  if (typeof value === 'boolean') return [String(value), CellKind.boolean]
  if (!(value instanceof Digits)) return [canonicalJson(value), CellKind.json]
  const decimal = canonicalDecimal(value.written)
  return decimal === null ? [value.written, CellKind.text] : [decimal, CellKind.number]
}

const own = (values: Readonly<Record<string, unknown>>, name: string) =>
  Object.hasOwn(values, name) ? values[name] : undefined

/** Batch by batch, each handed back before the next, as an engine does that has cast it. */
async function readPages(pages: readonly string[], pieceBytes: number) {
  const rows: { cells: (string | null)[]; kinds: number[]; raw: string; isBroken: boolean }[] = []
  const beside: unknown[] = []
  const reading = openRecords(
    {
      kind: 'records',
      columns: COLUMNS,
      shape: SHAPE,
      async *pages() {
        for (const json of pages) {
          const content = yield inPieces(json, pieceBytes)
          beside.push(content.beside)
        }
      },
    },
    { options: {}, limits: DEFAULT_LIMITS, tempDir: '', signal: new AbortController().signal },
  )
  for (let batch = await reading.next(); batch !== null; batch = await reading.next()) {
    expect(batch.firstRow).to.equal(rows.length + 1)
    const current = batch
    const { width, kinds, start, end } = current
    // A null lies before no place either: who measures a cell finds that it has no length.
    expect(Math.min(...start)).to.be.at.least(0)
    expect(end.every((to, cell) => to === NULL_CELL || to >= start[cell]!)).to.equal(true)
    const broken = new Set(batch.faults.map(({ row }) => row))
    for (let row = 0; row < batch.rows; row++) {
      rows.push({
        cells: Array.from({ length: width }, (_, column) => cellText(current, row, column)),
        kinds: [...kinds!.subarray(row * width, (row + 1) * width)],
        raw: reading.rawRow(batch, row),
        isBroken: broken.has(row),
      })
    }
    reading.recycle?.(batch)
  }
  await reading.close?.()
  return { rows, beside, headers: reading.headers }
}

function inPieces(json: string | Buffer, pieceBytes: number): Buffer[] {
  const bytes = Buffer.from(json)
  return Array.from({ length: Math.ceil(bytes.length / pieceBytes) }, (_, n) =>
    bytes.subarray(n * pieceBytes, (n + 1) * pieceBytes),
  )
}

/** Holds what was read against what `JSON.parse` finds. */
function expectSame(pages: readonly string[], read: Awaited<ReturnType<typeof readPages>>): void {
  const records = pages.flatMap((json) => parse(json).items.map(({ values }) => values))
  const late = new Set(records.flatMap((values) => Object.keys(values)))
  for (const column of COLUMNS) late.delete(column.key)
  const { headers, rows } = read
  expect(new Set(headers.slice(COLUMNS.length))).to.deep.equal(late)
  const keys = [...COLUMNS.map((column) => column.key), ...headers.slice(COLUMNS.length)]
  const names = normaliseHeaders(headers)
  expect(rows.length).to.equal(records.length)
  for (const [row, values] of records.entries()) {
    const { cells, kinds, raw, isBroken } = rows[row]!
    const expected = keys.map((name) => expectedCell(own(values, name!)))
    const width = cells.length
    expect(cells).to.deep.equal(expected.slice(0, width).map(([cell]) => cell))
    expect(kinds).to.deep.equal(expected.slice(0, width).map(([, kind]) => kind))
    expect(expected.slice(width).every(([cell]) => cell === null)).to.equal(true)
    const shown = cells.flatMap((cell, column) =>
      cell === null ? [] : [[names[column]!, cell, kinds[column]!] as const],
    )
    const answered = shown
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, cell, kind]) => `${quoted(name)}:${kind === 0 ? quoted(cell) : cell}`)
    expect(raw).to.equal(`{${answered.join(',')}}`)
    if (cells.some((cell) => cell?.includes('\ufffd'))) expect(isBroken).to.equal(true)
    // What a later duplicate takes the place of may be what is wrong.
    if (isBroken) expect(pages.join('')).to.match(/\\u(?:0000|d[89a-f])/)
  }
}

describe('Pages of records: against JSON.parse', () => {
  it('reads the same cells from any spelling of any records, in memory used again', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(page, { minLength: 1, maxLength: 5 }),
        fc.array(fc.constantFrom('', ' ', '\n', '\t', '\r\n  '), { minLength: 7, maxLength: 7 }),
        fc.integer({ min: 2, max: 9 }),
        fc.integer({ min: 1, max: 200 }),
        async (told, gaps, escapeEvery, pieceBytes) => {
          const pages = told.map((one) => spell(one, { gaps, escapeEvery }))
          const read = await readPages(pages, pieceBytes)
          expectSame(pages, read)
          const ends = pages.map((json) => JSON.parse(json) as Record<string, unknown>)
          expect(read.beside).to.deep.equal(ends.map(({ next, total }) => ({ next, total })))
        },
      ),
      { numRuns: 100, seed: 7 },
    )
  })
})
