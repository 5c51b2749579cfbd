import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

import type { Pool } from 'pg'
import { from, to } from 'pg-copy-streams'

import { createPool } from '../../src/db/pool.ts'
import { MESSY_COLUMNS, writeMessyCsv } from '../generators/messy-csv.ts'
import type { BenchmarkCase, BenchmarkOptions, BenchmarkResult } from '../benchmark.ts'
import { type Contender, inTurns } from '../support/in-turns.ts'
import { type Measured, measureScript, time } from '../support/measure.ts'
import { benchmarkServer } from '../support/server.ts'
import { csvFigures, type CsvResults } from './csv-figures.ts'

const MiB = 1024 * 1024
const TYPED = MESSY_COLUMNS.map(({ column, sqlType }) => `${column} ${sqlType}`).join(', ')
const NAMES = MESSY_COLUMNS.map(({ column }) => column).join(', ')
const ENGINE = new URL('engine-load.ts', import.meta.url)
const DUCKDB = new URL('duckdb-read.ts', import.meta.url)
const USUAL = new URL('usual-load.ts', import.meta.url)

/** Messy CSV into a typed table, beside what others need for the clean one. */
export const csvCase: BenchmarkCase = {
  name: 'csv',
  summary: 'messy CSV into a typed table, against COPY of the clean file and the usual stack',
  rows: 2_000_000,
  async run(options) {
    const folder = await mkdtemp(join(tmpdir(), 'bench-csv-'))
    try {
      await using server = await benchmarkServer(options.databaseUrl)
      const pool = createPool(server.url, { max: 2 })
      try {
        return await compare(options, { folder, url: server.url, pool })
      } finally {
        await pool.end()
      }
    } finally {
      await rm(folder, { recursive: true })
    }
  },
}

interface Stand {
  readonly folder: string
  readonly url: string
  readonly pool: Pool
}

async function compare({ rows, runs }: BenchmarkOptions, stand: Stand): Promise<BenchmarkResult> {
  const messy = join(stand.folder, 'messy.csv')
  const clean = join(stand.folder, 'clean.csv')
  const binary = join(stand.folder, 'clean.bin')
  const longer = join(stand.folder, 'longer.csv')
  await writeMessyCsv(rows, { messy, clean })
  await encodeBinary(stand, clean, binary)

  const psql = hasPsql()
  const emptyCopied = () => emptyTable(stand.pool, 'copied')
  const contenders: Record<keyof CsvResults, Contender> = {
    copy: {
      name: psql ? 'psql \\copy, clean CSV' : 'COPY through pg, clean CSV',
      prepare: emptyCopied,
      run: () => copyFile(stand, clean, 'copied', 'format csv', psql),
    },
    binary: {
      name: 'COPY of the encoded binary file',
      prepare: emptyCopied,
      run: () => copyFile(stand, binary, 'copied', 'format binary', psql),
    },
    usual: {
      name: 'csv-parse → pg-copy-streams',
      prepare: () => emptyTable(stand.pool, 'usual'),
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
      'COPY gets the clean file: it cannot read the messy one. Both tables are compared cell by cell.',
      'DuckDB stores nothing in PostgreSQL, uses all cores, and leaves numbers with grouped thousands as text.',
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

async function emptyTable(pool: Pool, table: string): Promise<void> {
  await pool.query(`drop table if exists ${table}; create table ${table} (${TYPED})`)
}

async function encodeBinary({ pool }: Stand, clean: string, binary: string): Promise<void> {
  await emptyTable(pool, 'copied')
  const client = await pool.connect()
  try {
    await pipeline(
      createReadStream(clean),
      client.query(from('copy copied from stdin (format csv)')),
    )
    await pipeline(
      client.query(to('copy copied to stdout (format binary)')),
      createWriteStream(binary),
    )
  } finally {
    client.release()
  }
}

async function copyFile(
  { pool, url }: Stand,
  path: string,
  table: string,
  how: string,
  psql: boolean,
): Promise<Measured> {
  if (psql) {
    return time(async () => {
      const child = spawn('psql', [url, '-q', '-c', `\\copy ${table} from '${path}' (${how})`], {
        stdio: ['ignore', 'ignore', 'inherit'],
      })
      const [code] = (await once(child, 'exit')) as [number]
      if (code !== 0) throw new Error(`psql ended with ${code}`)
    })
  }
  const client = await pool.connect()
  try {
    return await time(() =>
      pipeline(
        createReadStream(path, { highWaterMark: 256 * 1024 }),
        client.query(from(`copy ${table} from stdin (${how})`)),
      ),
    )
  } finally {
    client.release()
  }
}

/** Cell by cell, whatever the order of the rows. */
async function compareData(pool: Pool): Promise<boolean> {
  const differences = `(select ${NAMES} from engine except all select ${NAMES} from copied)
    union all (select ${NAMES} from copied except all select ${NAMES} from engine)`
  const { rows } = await pool.query<{ n: number }>(
    `select count(*)::int as n from (${differences}) different`,
  )
  return rows[0]!.n === 0
}

function hasPsql(): boolean {
  return spawnSync('psql', ['--version']).status === 0
}
