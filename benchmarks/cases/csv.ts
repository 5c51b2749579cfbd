import { stat } from 'node:fs/promises'
import { join } from 'node:path'

import { MiB } from '../../pipelines/index.ts'
import { createPool } from '../../src/db/pool.ts'
import { MESSY_COLUMNS, writeMessyCsv } from '../generators/messy-csv.ts'
import type { BenchmarkCase, BenchmarkOptions, BenchmarkResult } from '../benchmark.ts'
import { rounded } from '../report/describe-case.ts'
import { inFolder } from '../support/in-folder.ts'
import { inTurns } from '../support/in-turns.ts'
import { NAMES, numberRows } from '../support/messy-table.ts'
import { benchmarkServer } from '../support/server.ts'
import { countTablesAlike } from '../support/tables-alike.ts'
import { csvContenders, type CsvStand, engineOn, MOST_SLOW_RUNS } from './csv-contenders.ts'
import { csvFigures, type Growth } from './csv-figures.ts'

/** Messy CSV into a typed table, beside what others need for the clean one. */
export const csvCase: BenchmarkCase = {
  name: 'csv',
  summary: 'messy CSV into a typed table, against COPY of the clean file and the usual stack',
  rows: 2_000_000,
  run: (options) =>
    inFolder(async (folder) => {
      await using server = await benchmarkServer(options.databaseUrl)
      const pool = createPool(server.url, { max: 2 })
      try {
        return await compare(options, { folder, url: server.url, pool })
      } finally {
        await pool.end()
      }
    }),
}

async function compare(
  { rows, runs }: BenchmarkOptions,
  stand: CsvStand,
): Promise<BenchmarkResult> {
  const { folder, url, pool } = stand
  const files = {
    messy: join(folder, 'messy.csv'),
    clean: join(folder, 'clean.csv'),
    numbered: join(folder, 'numbered.csv'),
    binary: join(folder, 'numbered.bin'),
  }
  await writeMessyCsv(rows, files)
  await numberRows(pool, url, files.clean, files)

  const results = await inTurns(csvContenders(files, stand), runs)
  const tablesAlike = await countTablesAlike(pool, `_row, ${NAMES}`, [
    'copied',
    'engine',
    'general',
    'by_cli',
  ])
  const bytes = (await stat(files.messy)).size
  const growth = await growTenfold(files.messy, { rows, runs }, stand)
  return {
    input: `${rows.toLocaleString('en')} rows, ${MESSY_COLUMNS.length} columns, ${(bytes / MiB).toFixed(0)} MiB`,
    rows,
    bytes,
    contenders: Object.values(results),
    figures: csvFigures(results, growth, tablesAlike, await keepsLittleWal(pool)),
    caveats: [
      'COPY gets the clean file, row numbers included: it cannot read the messy one. Its table, those of both readers of the engine and that of its command line are compared cell by cell.',
      'Its table is the one that the engine makes, there before the clock starts; the primary key is added after the rows, inside the time, as the engine does it.',
      'The engine does the same as COPY with FREEZE into a table of its transaction, and reads the messy file besides: what that COPY takes, one stream cannot take less.',
      'The command line is timed from the start of Node to its end, psql as well; the other contenders of the engine from their first statement.',
      'DuckDB stores nothing in PostgreSQL and uses all cores. It leaves as text: numbers with grouped thousands, dates beside placeholders, oui and non.',
      'The usual stack is csv-parse, a function a value, and COPY as text.',
      `The general reader is there for dialects that the fast one does not know, such as delimiters of two characters. Here it is made to read the same file, ${MOST_SLOW_RUNS} times at most.`,
      describeGrowth(growth),
    ],
  }
}

async function keepsLittleWal(pool: CsvStand['pool']): Promise<boolean> {
  const { rows } = await pool.query<{ level: string }>(
    `select current_setting('wal_level') as level`,
  )
  return rows[0]!.level === 'minimal'
}

/** In turns with the file itself, so that a slow hour of the disk makes neither look better. */
async function growTenfold(
  messy: string,
  { rows, runs }: Pick<BenchmarkOptions, 'rows' | 'runs'>,
  stand: CsvStand,
): Promise<Growth> {
  const longer = join(stand.folder, 'longer.csv')
  await writeMessyCsv(rows * 10, { messy: longer, clean: '/dev/null' })
  return inTurns(
    {
      once: engineOn(messy, stand, 'the file'),
      tenfold: engineOn(longer, stand, 'ten times the rows'),
    },
    Math.min(runs, MOST_SLOW_RUNS),
  )
}

function describeGrowth({ once, tenfold }: Growth): string {
  const seconds = (samples: readonly number[]) => samples.map(rounded).join(', ')
  return `Ten times the rows: the engine with default streams, after all others, in turns with the file itself, ${MOST_SLOW_RUNS} times each at most; the figures are of these runs alone. They took ${seconds(tenfold.samples)} s against ${seconds(once.samples)} s.`
}
