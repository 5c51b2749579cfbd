import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { Pool } from 'pg'

import { createEngine, type Expectation, foldName } from '../../pipelines/index.ts'
import { expectationOf } from '../../src/domain/shapes/expect.ts'
import { columnsGiven } from '../../src/domain/shapes/shape-columns.ts'
import { expectedColumns } from '../../src/stack/fill/target-columns.ts'
import { type BenchmarkCase, type BenchmarkResult, median, timesAsLong } from '../benchmark.ts'
import { MESSY_COLUMNS, writeMessyCsv } from '../generators/messy-csv.ts'
import { bytesOf } from '../support/bytes-of.ts'
import { loaderOf, onStand, type Stand } from '../support/expected-loads.ts'
import { judgeMemory, judgeProposals } from '../mappings/judge-mappings.ts'
import { inTurns } from '../support/in-turns.ts'
import { time } from '../support/measure.ts'

const SHAPES = 500
const COLUMNS = 200
const SWAPS = 1000
const PREVIEWS = 15

/** What it costs that headers meet a shape, and what is never done unasked. */
export const shapesCase = (folders: readonly string[] = []): BenchmarkCase => ({
  name: 'shapes',
  summary: 'loads and previews whose headers meet a shape, beside the same without',
  rows: 500_000,
  run: onStand((stand) => measureAll(stand, folders)),
})

async function measureAll(stand: Stand, folders: readonly string[]): Promise<BenchmarkResult> {
  const loads = await loading(stand)
  const previews = await previewing(stand)
  const applied = await swapping(stand.folder)
  const remembered = []
  for (const folder of folders) remembered.push(...(await judgeMemory(stand, folder)))
  return {
    input: `${stand.rows.toLocaleString('en')} rows under other names; ${SHAPES} shapes of ${COLUMNS} columns`,
    rows: null,
    bytes: null,
    contenders: [...Object.values(loads), ...Object.values(previews)],
    figures: [
      {
        what: 'times a load without a shape, a load whose headers are all aliases',
        found: timesAsLong(loads.mapped, loads.plain),
        atMost: 1.05,
      },
      {
        what: `ms that the mapping of a preview takes, of ${COLUMNS} unknown headers, beside ${SHAPES} shapes`,
        found: (median(previews.mapped.samples) - median(previews.plain.samples)) * 1000,
        atMost: 50,
      },
      {
        what: `columns swapped unasked, of ${SWAPS} pairs under unknown headers`,
        found: applied,
        atMost: 0,
      },
      ...(await judgeProposals(stand)),
      ...remembered,
    ],
    caveats: [
      'Loads are by the engine in this process, into a plain table of the same database.',
      'A preview reads the shape of the source, and asks the other shapes of the enterprise for every header.',
    ],
  }
}

const engineIn = (folder: string) => createEngine({ tempDir: folder })

/** The same file, once as it is and once for a shape that calls every column otherwise. */
async function loading(stand: Stand) {
  const { folder, rows, runs } = stand
  const path = join(folder, 'messy.csv')
  await writeMessyCsv(rows, { messy: path, clean: join(folder, 'clean.csv') })
  const load = loaderOf(stand, path, 'benched_shapes')
  const shape = columnsGiven(
    MESSY_COLUMNS.map(({ header, column }) => ({
      name: `Champ ${column}`,
      type: 'text' as const,
      aliases: [header],
    })),
    null,
  )
  const columns = expectedColumns({ ...shape, heldColumns: [] }, [], {
    rowsAreAdded: false,
    isText: () => false,
  })
  return inTurns(
    {
      plain: { name: 'load without a shape', run: () => time(() => load(null)) },
      mapped: {
        name: 'load whose headers are aliases',
        isOurs: true,
        run: () => time(() => load(expecting(columns))),
      },
    },
    runs,
  )
}

const expecting = (columns: Expectation['columns']): Expectation => ({
  columns,
  unknown: 'add',
  missing: 'empty',
  given: {},
  left: [],
})

/** A file of headers that only other shapes know. */
async function previewing({ pool, folder }: Stand) {
  const tableId = await makeShapes(pool)
  const path = join(folder, 'headers.csv')
  const numbers = Array.from({ length: COLUMNS }, (_, at) => at)
  await writeFile(
    path,
    `${numbers.map((at) => `Autre nom ${at}`).join(';')}\n${numbers.join(';')}\n`,
  )
  const engine = engineIn(folder)
  const control = { limit: 20, signal: AbortSignal.timeout(3_600_000) }
  const preview = (expectation?: Expectation) =>
    engine.preview(bytesOf(path), {}, { ...control, ...(expectation && { expectation }) })
  return inTurns(
    {
      plain: { name: 'preview without a shape', run: () => time(() => preview()) },
      mapped: {
        name: `preview beside ${SHAPES} shapes`,
        isOurs: true,
        run: () =>
          time(async () => {
            const { shape, recall } = await expectationOf(pool, tableId)
            const columns = expectedColumns(shape, [], { rowsAreAdded: false, isText: () => false })
            await preview({ ...expecting(columns), ...(recall && { recall }) })
          }),
      },
    },
    PREVIEWS,
  )
}

/** Returns the id of a source whose shape remembers nothing itself. */
async function makeShapes(pool: Pool): Promise<number> {
  const columns = (known: boolean) =>
    columnsGiven(
      Array.from({ length: COLUMNS }, (_, at) => ({
        name: `Colonne ${at}`,
        type: 'number' as const,
        aliases: known ? [`Autre nom ${at}`] : [],
      })),
      null,
    ).columns
  const { rows } = await pool.query<{ id: number }>(
    `insert into enterprises (name, account_type) values ('Banc', 'enterprise') returning id`,
  )
  const enterpriseId = rows[0]!.id
  const remembered = columns(true).flatMap(({ name, aliases }) =>
    aliases.map((alias) => ({ name, alias, folded: foldName(alias) })),
  )
  await pool.query(
    `with made as (
       insert into shapes (enterprise_id, name, columns)
       select $1, 'Gabarit ' || n, $2 from generate_series(1, $3) n returning id)
     insert into shape_aliases (shape_id, enterprise_id, name, alias, folded)
     select made.id, $1, r.name, r.alias, r.folded
     from made, jsonb_to_recordset($4::jsonb) as r (name text, alias text, folded text)`,
    [enterpriseId, JSON.stringify(columns(true)), SHAPES, JSON.stringify(remembered)],
  )
  const { rows: made } = await pool.query<{ id: number; tableId: number }>(
    `with made_table as (
       insert into generated_tables (enterprise_id, name) values ($1, 'benched') returning id)
     insert into sources (enterprise_id, table_id, name, source)
     select $1, id, 'Banc', 'file' from made_table returning id, table_id as "tableId"`,
    [enterpriseId],
  )
  const { id: sourceId, tableId } = made[0]!
  await pool.query('insert into shapes (enterprise_id, source_id, columns) values ($1, $2, $3)', [
    enterpriseId,
    sourceId,
    JSON.stringify(columns(false)),
  ])
  await pool.query('analyze')
  return tableId
}

/** How often two columns of one type got each other’s values, or any, under headers that nobody knows. */
async function swapping(folder: string): Promise<number> {
  const engine = engineIn(folder)
  const path = join(folder, 'swapped.csv')
  let applied = 0
  for (let swap = 0; swap < SWAPS; swap++) {
    const [a, b, x, y] = Array.from({ length: 4 }, () => randomUUID())
    await writeFile(path, `${x};${y}\n1;2\n`)
    const { columns } = columnsGiven(
      [a!, b!].map((name) => ({ name, type: 'number' as const })),
      null,
    )
    const known = expectedColumns({ columns, heldColumns: [] }, [], {
      rowsAreAdded: false,
      isText: () => false,
    })
    const { columns: found } = await engine.preview(
      bytesOf(path),
      {},
      {
        limit: 1,
        signal: AbortSignal.timeout(60_000),
        expectation: expecting(known),
      },
    )
    applied += found.filter(({ name }) => name === a || name === b).length
  }
  return applied
}
