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
import type { BenchmarkCase, BenchmarkOptions } from '../main.ts'
import { type Measured, measureScript, median, time } from '../support/measure.ts'
import { printTable } from '../support/print-table.ts'
import { benchmarkServer } from '../support/server.ts'

const MiB = 1024 * 1024
const TYPED = MESSY_COLUMNS.map(({ column, sqlType }) => `${column} ${sqlType}`).join(', ')
const NAMES = MESSY_COLUMNS.map(({ column }) => column).join(', ')
const ENGINE = new URL('engine-load.ts', import.meta.url)
const USUAL = new URL('usual-load.ts', import.meta.url)

/** Messy CSV into a typed table, beside what others need for the clean one. */
export const csvCase: BenchmarkCase = {
  name: 'csv',
  summary: 'messy CSV into a typed table, against COPY of the clean file and the usual stack',
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

interface Contender {
  readonly name: string
  /** Makes room before the clock starts. */
  prepare?(): Promise<void>
  run(): Promise<Measured>
}

interface Result {
  readonly ms: number
  readonly peakRssBytes: number | null
}

async function compare({ rows, runs }: BenchmarkOptions, stand: Stand): Promise<boolean> {
  const messy = join(stand.folder, 'messy.csv')
  const clean = join(stand.folder, 'clean.csv')
  const binary = join(stand.folder, 'clean.bin')
  await writeMessyCsv(rows, { messy, clean })
  const longer = join(stand.folder, 'longer.csv')
  await encodeBinary(stand, clean, binary)

  const psql = hasPsql()
  const contenders: readonly Contender[] = [
    {
      name: psql ? 'psql \\copy, clean CSV' : 'COPY through pg, clean CSV',
      prepare: () => emptyTable(stand.pool, 'copied'),
      run: () => copyFile(stand, clean, 'copied', 'format csv', psql),
    },
    {
      name: 'COPY of the encoded binary file',
      prepare: () => emptyTable(stand.pool, 'copied'),
      run: () => copyFile(stand, binary, 'copied', 'format binary', psql),
    },
    {
      name: 'csv-parse → pg-copy-streams',
      prepare: () => emptyTable(stand.pool, 'usual'),
      run: () => measureScript(USUAL, [messy, 'usual', stand.url]),
    },
    engine(stand, 'engine, messy CSV, default streams', messy, 'default'),
    engine(stand, 'engine, messy CSV, 1 stream', messy, '1'),
    engine(stand, 'engine, messy CSV, 2 streams', messy, '2'),
  ]

  const megabytes = (await stat(messy)).size / MiB
  process.stdout.write(
    `${rows} rows, ${MESSY_COLUMNS.length} columns, ${megabytes.toFixed(0)} MiB; median of ${runs}\n\n`,
  )
  const results = await interleaved(contenders, runs)
  const isSame = await compareData(stand.pool)
  await writeMessyCsv(rows * 10, { messy: longer, clean: '/dev/null' })
  const [tenfold] = await interleaved([engine(stand, 'ten times', longer, 'default')], 1)
  return printVerdict(contenders, results, tenfold!, { rows, megabytes, isSame })
}

function engine({ pool, url }: Stand, name: string, path: string, streams: string): Contender {
  return {
    name,
    prepare: async () => {
      await pool.query('drop table if exists engine')
    },
    run: () => measureScript(ENGINE, [path, 'engine', url, streams]),
  }
}

/** In turns, so that what the machine does besides strikes all of them alike. */
async function interleaved(contenders: readonly Contender[], runs: number): Promise<Result[]> {
  const measured: Measured[][] = contenders.map(() => [])
  for (let run = 0; run < runs; run++) {
    for (const [at, contender] of contenders.entries()) {
      await contender.prepare?.()
      measured[at]!.push(await contender.run())
    }
  }
  return measured.map((all) => ({
    ms: median(all.map(({ ms }) => ms)),
    peakRssBytes:
      all[0]!.peakRssBytes === null ? null : Math.max(...all.map((m) => m.peakRssBytes!)),
  }))
}

function printVerdict(
  contenders: readonly Contender[],
  results: readonly Result[],
  tenfold: Result,
  { rows, megabytes, isSame }: { rows: number; megabytes: number; isSame: boolean },
): boolean {
  const [copy, binary, usual, byDefault, oneStream, twoStreams] = results as [
    Result,
    Result,
    Result,
    Result,
    Result,
    Result,
  ]
  const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`
  const memory = ({ peakRssBytes }: Result) =>
    peakRssBytes === null ? '' : `${(peakRssBytes / MiB).toFixed(0)} MiB`
  printTable(
    ['', 'time', 'rows/s', 'MiB/s', 'peak memory', 'against \\copy'],
    contenders.map(({ name }, at) => {
      const result = results[at]!
      const perSecond = 1000 / result.ms
      return [
        name,
        seconds(result.ms),
        Math.round(rows * perSecond).toLocaleString('en'),
        (megabytes * perSecond).toFixed(0),
        memory(result),
        (result.ms / copy.ms).toFixed(2),
      ]
    }),
  )
  const growth = tenfold.peakRssBytes! / byDefault.peakRssBytes!
  const figures: readonly (readonly [what: string, found: number, isReached: boolean])[] = [
    ['of the time of \\copy, at most 0.75', byDefault.ms / copy.ms, byDefault.ms <= 0.75 * copy.ms],
    [
      'of the time of binary COPY with one stream, at most 1.15',
      oneStream.ms / binary.ms,
      oneStream.ms <= 1.15 * binary.ms,
    ],
    ['... with several, at most 1.0', twoStreams.ms / binary.ms, twoStreams.ms <= binary.ms],
    [
      'times as fast as the usual stack, at least 4',
      usual.ms / byDefault.ms,
      usual.ms >= 4 * byDefault.ms,
    ],
    [
      'MiB of memory at its peak, at most 220',
      byDefault.peakRssBytes! / MiB,
      byDefault.peakRssBytes! <= 220 * MiB,
    ],
    ['of that memory with ten times the rows, 0.85 to 1.15', growth, Math.abs(growth - 1) <= 0.15],
    [
      'of the time with ten times the rows, 9 to 11',
      tenfold.ms / byDefault.ms,
      tenfold.ms >= 9 * byDefault.ms && tenfold.ms <= 11 * byDefault.ms,
    ],
    ['of two tables with the same data in them', isSame ? 2 : 1, isSame],
  ]
  process.stdout.write('\n')
  printTable(
    ['', 'found', 'what'],
    figures.map(([what, found, isReached]) => [
      isReached ? 'pass' : 'FAIL',
      found.toFixed(2),
      what,
    ]),
  )
  return figures.every(([, , isReached]) => isReached)
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
