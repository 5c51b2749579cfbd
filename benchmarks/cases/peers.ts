import { spawnSync } from 'node:child_process'
import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { Pool } from 'pg'

import { MiB } from '../../pipelines/index.ts'
import { createPool } from '../../src/db/pool.ts'
import {
  type BenchmarkCase,
  type BenchmarkOptions,
  type BenchmarkResult,
  type Figure,
  type MeasuredContender,
  timesAsFast,
} from '../benchmark.ts'
import { MESSY_COLUMNS, writeMessyCsv } from '../generators/messy-csv.ts'
import { pgloaderCommands } from '../peers/pgloader-commands.ts'
import { benchmarkDatabase } from '../support/benchmark-database.ts'
import { floorOfLoad } from '../support/floor-of-load.ts'
import { inFolder } from '../support/in-folder.ts'
import { type Contender, inTurns } from '../support/in-turns.ts'
import { dropTable, emptyTable, NAMES, numberRows, TYPED } from '../support/messy-table.ts'
import { countTablesAlike } from '../support/tables-alike.ts'
import { loadByCli } from '../support/load-by-cli.ts'
import { settleServer } from '../support/settle-server.ts'
import { measureProgram } from '../support/whole-process.ts'

const PYTHON = process.env['BENCH_PYTHON'] ?? 'python3'
const OURS = 'peer_engine'
const FLOOR = 'copied'

/** What others load the same file with. None of it is needed to run the other cases. */
interface Peer {
  readonly name: string
  readonly table: string
  readonly mostRuns?: number
  /** Answers whether it is there. */
  readonly probe: readonly [command: string, ...args: string[]]
  command(load: PeerLoad): Promise<readonly [command: string, ...args: string[]]>
}

interface PeerLoad {
  readonly path: string
  readonly url: string
  readonly folder: string
}

const POLARS: Peer = pythonPeer('polars + ADBC', 'peer_polars', 'polars_adbc.py', 'polars, pyarrow')

const PEERS: readonly Peer[] = [
  POLARS,
  pythonPeer('DuckDB + ADBC', 'peer_duckdb', 'duckdb_adbc.py', 'duckdb, pyarrow'),
  {
    name: 'pgloader',
    table: 'peer_pgloader',
    mostRuns: 1,
    probe: ['pgloader', '--version'],
    async command({ path, url, folder }) {
      const commands = join(folder, 'messy.load')
      await writeFile(commands, pgloaderCommands(path, url, this.table))
      return ['pgloader', '--quiet', '--on-error-stop', commands]
    },
  },
]

function pythonPeer(name: string, table: string, script: string, modules: string): Peer {
  const path = new URL(`../peers/${script}`, import.meta.url).pathname
  return {
    name,
    table,
    probe: [PYTHON, '-c', `import adbc_driver_postgresql.dbapi, ${modules}`],
    command: async (load) => [PYTHON, path, load.path, load.url, table],
  }
}

const isInstalled = ({ probe: [command, ...args] }: Peer): boolean =>
  spawnSync(command, args, { stdio: 'ignore' }).status === 0

/** The same file into the same columns, each program from its start to its end. */
export const peersCase: BenchmarkCase = {
  name: 'peers',
  summary: 'messy CSV into a typed table, beside polars + ADBC, DuckDB and pgloader',
  rows: 2_000_000,
  run: (options) =>
    inFolder(async (folder) => {
      await using database = await benchmarkDatabase(options.databaseUrl)
      const pool = createPool(database.url, { max: 1 })
      try {
        return await compare(options, { folder, url: database.url, pool })
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

async function compare(
  { rows, runs }: BenchmarkOptions,
  { folder, url, pool }: Stand,
): Promise<BenchmarkResult> {
  const path = join(folder, 'messy.csv')
  const clean = join(folder, 'clean.csv')
  const binary = join(folder, 'numbered.bin')
  await writeMessyCsv(rows, { messy: path, clean })
  await numberRows(pool, url, clean, { binary })
  const { size } = await stat(path)
  const installed = PEERS.filter(isInstalled)
  const others = PEERS.filter((peer) => !installed.includes(peer)).map(({ name }) => name)

  const competing: [table: string, contender: Contender][] = [
    [OURS, engineOn(path, url, pool)],
    [FLOOR, floorOfLoad(binary, url, pool)],
    ...installed.map((peer): [string, Contender] => [
      peer.table,
      peerOn(peer, { path, url, folder }, pool),
    ]),
  ]
  const contenders = await inTurns<string>(
    Object.fromEntries(competing.map(([table, each]) => [table, settled(each, pool)])),
    runs,
  )
  const ours = contenders[OURS]!
  const polars = contenders[POLARS.table]
  const tables = installed.map(({ table }) => table)
  return {
    input: `${rows.toLocaleString('en')} rows, ${MESSY_COLUMNS.length} columns, ${(size / MiB).toFixed(0)} MiB`,
    rows,
    bytes: size,
    contenders: Object.values(contenders),
    figures: [
      ...(polars === undefined ? [] : figuresBeside(polars, ours, contenders[FLOOR]!)),
      {
        what: 'tables that hold the same data, cell by cell',
        found: await countTablesAlike(pool, NAMES, [OURS, ...tables]),
        atLeast: 1 + tables.length,
      },
    ],
    caveats: [
      'Time and memory are those of the whole process: our command line with the start of Node, Python with its imports.',
      'Before each the server writes out what the one before has left to it, and vacuums none of their tables.',
      'Others are told every type and date format, and fill a table that is there, without row numbers and key. The engine finds them out, numbers the rows and makes the key.',
      'COPY of the encoded file does what the engine does once it has read the file: number, store and make the key.',
      ...(others.length === 0 ? [] : [`Not installed, and left out: ${others.join(', ')}.`]),
    ],
  }
}

function figuresBeside(
  polars: MeasuredContender,
  ours: MeasuredContender,
  floor: MeasuredContender,
): Figure[] {
  const figures = [
    {
      what: `of the time of ${polars.name}`,
      found: 1 / timesAsFast(ours, polars),
      atMost: 0.65,
    },
    {
      what: `of the time of ${polars.name}, binary COPY into a table of its transaction, the floor`,
      found: 1 / timesAsFast(floor, polars),
    },
  ]
  if (ours.peakRssBytes === null || polars.peakRssBytes === null) return figures
  const found = ours.peakRssBytes / polars.peakRssBytes
  return [...figures, { what: `of the memory of ${polars.name}`, found, atMost: 0.25 }]
}

function engineOn(path: string, url: string, pool: Pool): Contender {
  return {
    name: 'engine, by the command line',
    isOurs: true,
    prepare: () => dropTable(pool, OURS),
    run: () => loadByCli(path, OURS, url),
  }
}

/** What an earlier run left is gone before the clock starts. */
function settled(contender: Contender, pool: Pool): Contender {
  return {
    ...contender,
    async prepare() {
      await contender.prepare?.()
      await settleServer(pool)
    },
  }
}

function peerOn(peer: Peer, load: PeerLoad, pool: Pool): Contender {
  const { name, table, mostRuns } = peer
  return {
    name,
    ...(mostRuns === undefined ? {} : { mostRuns }),
    async prepare() {
      await emptyTable(pool, table, TYPED)
      // Vacuum would come to it while another is timed.
      await pool.query(`alter table ${table} set (autovacuum_enabled = false)`)
    },
    async run() {
      const [command, ...args] = await peer.command(load)
      return await measureProgram(command, args)
    },
  }
}
