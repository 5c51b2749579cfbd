import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'

import type { Pool } from 'pg'

import { CellValue, type ColumnRule, judgedRules } from '../../pipelines/index.ts'
import { columnsGiven } from '../../src/domain/shapes/shape-columns.ts'
import { withTransaction } from '../../src/db/transaction.ts'
import { askedOf, brokenRules, selectFrom } from '../../src/stack/judge-rows.ts'
import { expectationOfShape } from '../../src/stack/fill/target-columns.ts'
import { type BenchmarkCase, type BenchmarkResult, median, timesAsLong } from '../benchmark.ts'
import { WORKBOOK_COLUMNS, writeWorkbook } from '../generators/workbook.ts'
import { loaderOf, onStand, type Stand } from '../support/expected-loads.ts'
import { inTurns } from '../support/in-turns.ts'
import { type Measured, measureScript, time } from '../support/measure.ts'

const BACK_ROWS = 100_000
const BACK_ERRORS = 1000
const TABLE = 'benched_rules'
/** One row in a hundred has no such comment. */
const WRONG: ColumnRule = { matches: '(?:[1-9]|[1-9][0-9]), à rappeler$' }
/** Backtracking would never end with it. */
const SLOW: ColumnRule = { matches: '(a+)+$' }
const FILE_BACK = new URL('file-back.ts', import.meta.url)
const MiB = 2 ** 20
const TOWNS = ['Besançon', 'Orléans', 'Saint-Étienne', 'Paris', 'Nîmes']

/** What rules cost a load, a value that is made to be slow, and the file back. */
export const rulesCase: BenchmarkCase = {
  name: 'rules',
  summary: 'a load with 20 rules beside the same without; the file back',
  rows: 10_000_000,
  run: onStand(measureAll),
}

async function measureAll(stand: Stand): Promise<BenchmarkResult> {
  const loads = await loading(stand)
  const { slow, back } = await judging(stand)
  return {
    input: `${stand.rows.toLocaleString('en')} rows of ten columns; a workbook of ${BACK_ROWS.toLocaleString('en')} rows with ${BACK_ERRORS} errors`,
    rows: null,
    bytes: null,
    contenders: [...Object.values(loads), slow, back],
    figures: [
      {
        what: 'times a load without rules, one with 20, of which two are unique and one looks values up',
        found: timesAsLong(loads.ruled, loads.plain),
        atMost: 1.3,
      },
      {
        what: 'ms of processor that (a+)+$ takes in a value of 1 MiB, with its automaton made anew',
        found: median(slow.samples) * 1000,
        atMost: 10,
      },
      {
        what: 's until a file is checked and back, in a process of its own',
        found: median(back.samples),
        atMost: 5,
      },
      {
        what: 'MiB of that process at its highest',
        found: (back.peakRssBytes ?? 0) / MiB,
        atMost: 300,
      },
    ],
    caveats: [
      'Loads are by the engine in this process, into a plain table of the same database; rules over all rows are then asked of it as a publication asks them.',
      'Numbers and codes come in order, as keys of exports do, so nobody has to sort them to know that they are unique; the last load shows what it costs where codes do not.',
    ],
  }
}

/** 17 rules of rows, two of all rows together, and one look-up. */
const RULES: Readonly<Record<string, readonly ColumnRule[]>> = {
  Numéro: [{ required: true }, { minimum: 0 }, { unique: true }],
  Nom: [{ required: true }, { minLength: 2 }, { maxLength: 60 }, { matches: '^Client' }],
  Ville: [{ required: true }, { oneOf: TOWNS }],
  Montant: [{ minimum: 0 }, { maximum: 1_000_000 }],
  Taux: [{ minimum: 0 }, { maximum: 1 }],
  Date: [{ minimum: '2015-01-01' }],
  Commentaire: [{ maxLength: 200 }],
  Code: [{ matches: '^C[0-9]+$' }, { unique: true }],
  Quantité: [{ minimum: 0 }],
}

const shapeWith = (lookUp: readonly ColumnRule[], isRuled: boolean) =>
  columnsGiven(
    WORKBOOK_COLUMNS.map(({ header, sqlType }) => ({
      name: header,
      type: TYPES[sqlType],
      rules: isRuled ? [...(RULES[header] ?? []), ...(header === 'Ville' ? lookUp : [])] : [],
    })),
    null,
  )
const TYPES = {
  bigint: 'number',
  numeric: 'number',
  text: 'text',
  date: 'date',
  boolean: 'boolean',
} as const

async function loading(stand: Stand) {
  const { pool, folder, rows, runs } = stand
  const loaderFor = async (name: string, codeOf: (row: number) => number) => {
    const path = join(folder, name)
    await writeFile(path, Readable.from(csvOf(rows, codeOf)))
    return loaderOf(stand, path, TABLE)
  }
  const load = await loaderFor('rows.csv', (row) => row)
  const loadUnordered = await loaderFor('no-order.csv', (row) => (row * 7919) % 1_000_000_007)
  const { enterpriseId, lookUp } = await makeTowns(pool)
  const expecting = (isRuled: boolean) => {
    const shape = { ...shapeWith([lookUp], isRuled), heldColumns: [] }
    return expectationOfShape({ shape: shape as never, given: {} })
  }
  const ruled = (loadRows: typeof load) => () =>
    time(async () => {
      const distinct = await loadRows(expecting(true))
      await judgeAll(pool, enterpriseId, [lookUp], distinct)
    })
  return inTurns(
    {
      plain: { name: 'load without rules', run: () => time(() => load(expecting(false))) },
      ruled: { name: 'load with 20 rules', isOurs: true, run: ruled(load) },
      unordered: { name: 'load with 20 rules, codes in no order', run: ruled(loadUnordered) },
    },
    runs,
  )
}

/** Thousands at once: a write for each row would take longer than what is measured. */
function* csvOf(rows: number, codeOf: (row: number) => number): Generator<string> {
  yield `${WORKBOOK_COLUMNS.map(({ header }) => header).join(';')}\n`
  const ROWS_AT_ONCE = 5000
  for (let from = 1; from <= rows; from += ROWS_AT_ONCE) {
    let text = ''
    for (let row = from; row < Math.min(from + ROWS_AT_ONCE, rows + 1); row++) {
      const day = new Date(Date.UTC(2015, 0, 1 + (row % 3000))).toISOString().slice(0, 10)
      text += `${row};Client numéro ${row % 5000};${TOWNS[row % TOWNS.length]};${(row * 7919) % 1_000_000}.5;0.${row % 100};${day};${row % 2 === 0};dossier ${row};C${String(codeOf(row)).padStart(10, '0')};${row % 17}\n`
    }
    yield text
  }
}

/** As a publication does. */
async function judgeAll(
  pool: Pool,
  enterpriseId: number,
  lookUp: readonly ColumnRule[],
  distinct: readonly string[],
) {
  const { columns } = shapeWith(lookUp, true)
  const ruled = columns.map((column) => ({
    name: column.name,
    rules: column.rules,
    column: stored(column),
  }))
  await withTransaction(pool, async (client) => {
    const rows = {
      enterpriseId,
      tableId: null,
      distinct,
      select: (wanted: Parameters<typeof selectFrom>[1]) => selectFrom(`public.${TABLE}`, wanted),
    }
    const broken = await brokenRules(client, rows, askedOf(ruled, []), 100)
    if (broken.length > 0) throw new Error('Rows that keep their rules are said to break them')
  })
}

function stored({ name, column, type }: { name: string; column: string; type: string }) {
  const { sqlType } = WORKBOOK_COLUMNS.find(({ header }) => header === name)!
  return { name, column, type, sqlType } as Parameters<typeof selectFrom>[1][number]
}

/** A source of towns to look values up in. */
async function makeTowns(pool: Pool) {
  const { rows } = await pool.query<{ id: number }>(
    `insert into enterprises (name, account_type) values ('Banc', 'enterprise') returning id`,
  )
  const enterpriseId = rows[0]!.id
  const columns = [{ name: 'Ville', column: 'ville', type: 'text', sqlType: 'text' }]
  const { rows: made } = await pool.query<{ uuid: string }>(
    `with made_table as (
       insert into generated_tables (enterprise_id, name, columns) values ($1, 'towns', $2) returning id)
     insert into sources (enterprise_id, table_id, name, source)
     select $1, id, 'Villes', 'file' from made_table returning uuid`,
    [enterpriseId, JSON.stringify(columns)],
  )
  await pool.query(
    `create schema enterprise_${enterpriseId};
     create table enterprise_${enterpriseId}.towns (ville text);
     insert into enterprise_${enterpriseId}.towns
     select unnest('{${TOWNS.join(',')}}'::text[])`,
  )
  return { enterpriseId, lookUp: { in: { sourceUuid: made[0]!.uuid, column: 'Ville' } } }
}

/** Of a value that is made to be slow, and of the file back. */
async function judging({ folder, runs }: Stand) {
  const long = new CellValue('text')
  const bytes = Buffer.from(`${'a'.repeat(MiB)}b`)
  const length = Buffer.alloc(4)
  length.writeInt32BE(bytes.length)
  long.look(Buffer.concat([length, bytes]), 0)
  const book = join(folder, 'back.xlsx')
  await writeWorkbook(book, BACK_ROWS, { sharedStrings: true })
  const given = [book, folder, 'Commentaire', JSON.stringify(WRONG), String(BACK_ERRORS)]
  return inTurns(
    {
      slow: {
        name: '(a+)+$ in a value of 1 MiB',
        isOurs: true,
        run: async () => onProcessor(() => judgedRules([SLOW], 'text')[0]!.isKept(long)),
      },
      back: { name: 'the file back', isOurs: true, run: () => measureScript(FILE_BACK, given) },
    },
    Math.max(runs, 5),
  )
}

/** What is done in one go takes no less than this, however busy the machine is. */
function onProcessor(work: () => unknown): Measured {
  const began = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(began)
  return { ms: (user + system) / 1000, peakRssBytes: null }
}
