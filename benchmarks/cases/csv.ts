import { stat } from 'node:fs/promises'
import { join } from 'node:path'

import type { Pool } from 'pg'

import { createPool } from '../../src/db/pool.ts'
import { MESSY_COLUMNS, writeMessyCsv } from '../generators/messy-csv.ts'
import type { BenchmarkCase, BenchmarkOptions, BenchmarkResult } from '../benchmark.ts'
import { inFolder } from '../support/in-folder.ts'
import { type Contender, inTurns } from '../support/in-turns.ts'
import { measureScript, time } from '../support/measure.ts'
import { ADD_KEY, emptyTable, NAMES, NUMBERED, numberRows, TYPED } from '../support/messy-table.ts'
import { type Copying, copyFile, hasPsql } from '../support/psql-copy.ts'
import { benchmarkServer } from '../support/server.ts'
import { csvFigures, type CsvResults } from './csv-figures.ts'

const MiB = 1024 * 1024
const ENGINE = new URL('engine-load.ts', import.meta.url)
const DUCKDB = new URL('duckdb-read.ts', import.meta.url)
const USUAL = new URL('usual-load.ts', import.meta.url)

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

interface Stand {
  readonly folder: string
  readonly url: string
  readonly pool: Pool
}

async function compare({ rows, runs }: BenchmarkOptions, stand: Stand): Promise<BenchmarkResult> {
  const messy = join(stand.folder, 'messy.csv')
  const clean = join(stand.folder, 'clean.csv')
  const numbered = join(stand.folder, 'numbered.csv')
  const binary = join(stand.folder, 'numbered.bin')
  const longer = join(stand.folder, 'longer.csv')
  await writeMessyCsv(rows, { messy, clean })
  await numberRows(stand.pool, stand.url, clean, { numbered, binary })

  const copier = hasPsql() ? 'psql \\copy' : 'COPY through pg'
  const copy = (copying: Copying) => time(() => copyFile(stand.url, 'from', copying))
  const emptyCopied = () => emptyTable(stand.pool, 'copied', NUMBERED)
  const contenders: Record<keyof CsvResults, Contender> = {
    copy: {
      name: `${copier}, clean CSV`,
      prepare: emptyCopied,
      run: () => copy({ table: 'copied', path: numbered, afterwards: ADD_KEY }),
    },
    bare: {
      name: `${copier}, clean CSV, no row numbers and no key`,
      prepare: () => emptyTable(stand.pool, 'bare', TYPED),
      run: () => copy({ table: 'bare', path: clean }),
    },
    binary: {
      name: 'COPY of the encoded binary file',
      prepare: emptyCopied,
      run: () => copy({ table: 'copied', path: binary, format: 'binary', afterwards: ADD_KEY }),
    },
    usual: {
      name: 'csv-parse → pg-copy-streams',
      prepare: () => emptyTable(stand.pool, 'usual', TYPED),
      run: () => measureScript(USUAL, [messy, 'usual', stand.url]),
    },
    duckdb: {
      name: 'DuckDB, messy CSV read and typed in memory',
      run: () => measureScript(DUCKDB, [messy]),
    },
    byDefault: engine(stand, 'engine, messy CSV, default streams', messy, 'default'),
    oneStream: engine(stand, 'engine, messy CSV, 1 stream', messy, '1'),
    twoStreams: engine(stand, 'engine, messy CSV, 2 streams', messy, '2'),
  }

  const results = await inTurns(contenders, runs)
  const isSame = await compareData(stand.pool)
  const bytes = (await stat(messy)).size
  await writeMessyCsv(rows * 10, { messy: longer, clean: '/dev/null' })
  const { tenfold } = await inTurns({ tenfold: engine(stand, '', longer, 'default') }, 1)
  return {
    input: `${rows.toLocaleString('en')} rows, ${MESSY_COLUMNS.length} columns, ${(bytes / MiB).toFixed(0)} MiB`,
    rows,
    bytes,
    contenders: Object.values(results),
    figures: csvFigures(results, tenfold, isSame),
    caveats: [
      'COPY gets the clean file, row numbers included: it cannot read the messy one. Both tables are compared cell by cell.',
      'Its table is the one that the engine makes, there before the clock starts; the primary key is added after the rows, inside the time, as the engine does it.',
      'DuckDB stores nothing in PostgreSQL and uses all cores. It leaves as text: numbers with grouped thousands, dates beside placeholders, oui and non.',
      'The usual stack is csv-parse, a function a value, and COPY as text.',
    ],
  }
}

function engine({ pool, url }: Stand, name: string, path: string, streams: string): Contender {
  return {
    name,
    isOurs: true,
    prepare: async () => {
      await pool.query('drop table if exists engine')
    },
    run: () => measureScript(ENGINE, [path, 'public', 'engine', url, streams]),
  }
}

/** Cell by cell and row by row. */
async function compareData(pool: Pool): Promise<boolean> {
  const cells = `_row, ${NAMES}`
  const differences = `(select ${cells} from engine except all select ${cells} from copied)
    union all (select ${cells} from copied except all select ${cells} from engine)`
  const { rows } = await pool.query<{ n: number }>(
    `select count(*)::int as n from (${differences}) different`,
  )
  return rows[0]!.n === 0
}
