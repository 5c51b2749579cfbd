import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import type { Pool } from 'pg'

import { MiB } from '../../pipelines/index.ts'
import { createPool } from '../../src/db/pool.ts'
import { migrate } from '../../src/db/migrate.ts'
import {
  type BenchmarkCase,
  type BenchmarkResult,
  type Figure,
  median,
  timesAsFast,
} from '../benchmark.ts'
import { MESSY_COLUMNS, writeMessyCsv } from '../generators/messy-csv.ts'
import { benchmarkDatabase } from '../support/benchmark-database.ts'
import { download } from '../support/download.ts'
import { inFolder } from '../support/in-folder.ts'
import { inTurns } from '../support/in-turns.ts'
import { time } from '../support/measure.ts'
import { ADD_KEY, emptyTable, NAMES, NUMBERED, numberRows, TYPED } from '../support/messy-table.ts'
import { type Copying, copyFile, hasPsql } from '../support/psql-copy.ts'
import { forgetPeak, peakResidentBytes, residentBytes } from '../support/resident-memory.ts'
import { type BenchedService, benchedService } from '../support/service-client.ts'

const PAGES_TIMED = 30
const PAGE_ROWS = 50

/** A messy upload into a source and out again, beside psql with a clean file and the same table. */
export const httpCase: BenchmarkCase = {
  name: 'http',
  summary: 'a messy CSV uploaded into a source, read and exported, against psql \\copy',
  rows: 2_000_000,
  run: ({ rows, runs, databaseUrl }) =>
    inFolder(async (folder) => {
      await using database = await benchmarkDatabase(databaseUrl)
      await migrate(database.url)
      await using service = await benchedService(database.url, join(folder, 'data'))
      return await compare(service, { url: database.url, folder, rows, runs })
    }),
}

interface Stand {
  readonly url: string
  readonly folder: string
  readonly rows: number
  readonly runs: number
}

async function compare(service: BenchedService, stand: Stand): Promise<BenchmarkResult> {
  const { url, folder, rows, runs } = stand
  const files = { messy: join(folder, 'messy.csv'), clean: join(folder, 'clean.csv') }
  const numbered = join(folder, 'numbered.csv')
  await writeMessyCsv(rows, files)
  await withPool(url, (pool) => numberRows(pool, url, files.clean, { numbered }))
  const { size } = await stat(files.messy)
  const restBytes = residentBytes(service.pid)
  // Asking begins the measurement anew: the start of the service is not part of it.
  await eventLoopDelayMs(service)
  const watch = watchHealth(service)
  const copier = hasPsql() ? 'psql \\copy' : 'COPY through pg'
  const copy = (copying: Copying) => time(() => copyFile(url, 'from', copying))
  let source = ''
  let peakBytes: number | null = null
  const loads = await inTurns(
    {
      upload: {
        name: 'POST /sources, messy CSV',
        isOurs: true,
        prepare: async () => {
          if (source !== '') await service.fetch(`/sources/${source}`, { method: 'DELETE' })
          forgetPeak(service.pid)
        },
        run: async () => {
          const measured = await time(async () => {
            source = await service.createSource(files.messy, 'bench_rows')
          })
          peakBytes = Math.max(peakBytes ?? 0, peakResidentBytes(service.pid) ?? 0) || null
          return measured
        },
      },
      copy: {
        name: `${copier}, clean CSV`,
        prepare: () => withPool(url, (pool) => emptyTable(pool, 'copied', NUMBERED)),
        run: () => copy({ table: 'copied', path: numbered, afterwards: ADD_KEY }),
      },
      bare: {
        name: `${copier}, clean CSV, no row numbers and no key`,
        prepare: () => withPool(url, (pool) => emptyTable(pool, 'bare', TYPED)),
        run: () => copy({ table: 'bare', path: files.clean }),
      },
    },
    runs,
  )
  const slowestHealthMs = await watch.stop()
  const lagMs = await eventLoopDelayMs(service)
  const exported = (format: string) => ({
    name: `GET /sources/:uuid/export, ${format}`,
    isOurs: true,
    run: () =>
      time(() =>
        download(
          `${service.address}/sources/${source}/export?format=${format.toLowerCase()}`,
          service.token,
          join(folder, 'exported'),
        ),
      ),
  })
  const exports = await inTurns(
    {
      csv: exported('CSV'),
      ndjson: exported('NDJSON'),
      copy: {
        name: `${copier} of the rows in their order to a file`,
        run: () =>
          time(() =>
            copyFile(url, 'to', {
              table: `(select ${NAMES} from ${service.schema}.bench_rows order by _row)`,
              path: join(folder, 'out.csv'),
            }),
          ),
      },
    },
    runs,
  )
  const pages = await timePages(service, source, Math.ceil(rows / PAGE_ROWS))
  const figures: Figure[] = [
    {
      what: 'of the speed of \\copy, loading',
      found: timesAsFast(loads.upload, loads.copy),
      atLeast: 1,
    },
    {
      what: 'of the speed of \\copy, exporting CSV',
      found: timesAsFast(exports.csv, exports.copy),
      atLeast: 0.9,
    },
    {
      what: 'of the speed of \\copy, exporting NDJSON',
      found: timesAsFast(exports.ndjson, exports.copy),
      atLeast: 0.7,
    },
    { what: 'last page against the first', found: pages.last / pages.first, atMost: 1.2 },
    {
      what: 'ms until the slowest health answer while loading',
      found: slowestHealthMs,
      atMost: 500,
    },
    { what: 'ms of event-loop delay, p99', found: lagMs, atMost: 50 },
  ]
  if (restBytes !== null && peakBytes !== null) {
    figures.push({
      what: 'MiB of memory more than at rest',
      found: (peakBytes - restBytes) / MiB,
      atMost: 150,
    })
  }
  return {
    input: `${rows.toLocaleString('en')} rows, ${MESSY_COLUMNS.length} columns, ${Math.round(size / MiB)} MiB`,
    rows,
    bytes: size,
    contenders: [loads.upload, loads.copy, loads.bare, ...Object.values(exports)],
    figures,
    caveats: [
      'Client, service and PostgreSQL share the cores; so do psql and PostgreSQL.',
      'The upload is stored as well as loaded; psql does neither that nor any cleaning.',
      'psql writes CSV, of instants and booleans fewer bytes than the export; MiB/s counts the bytes of the upload for all.',
      'Both fill the same table; its primary key is added after the rows, inside the time.',
    ],
  }
}

async function withPool(url: string, use: (pool: Pool) => Promise<void>): Promise<void> {
  const pool = createPool(url, { max: 1 })
  try {
    await use(pool)
  } finally {
    await pool.end()
  }
}

async function timePages(service: BenchedService, source: string, lastPage: number) {
  const read = async (page: number) => {
    const { ms } = await time(async () => {
      const path = `/sources/${source}/data?limit=${PAGE_ROWS}&page=${page}`
      await (await service.fetch(path)).text()
    })
    return ms
  }
  const first: number[] = []
  const last: number[] = []
  for (let turn = 0; turn < PAGES_TIMED; turn++) {
    first.push(await read(1))
    last.push(await read(lastPage))
  }
  return { first: median(first), last: median(last) }
}

/** Asks for the health of the service all along, as an orchestrator does. */
function watchHealth(service: BenchedService): { stop(): Promise<number> } {
  const stopping = new AbortController()
  let slowestMs = 0
  const asking = (async () => {
    while (!stopping.signal.aborted) {
      const { ms } = await time(async () => (await service.fetch('/health/live')).text())
      slowestMs = Math.max(slowestMs, ms)
      await sleep(50)
    }
  })()
  return {
    async stop() {
      stopping.abort()
      await asking
      return slowestMs
    },
  }
}

async function eventLoopDelayMs(service: BenchedService): Promise<number> {
  const text = await (await service.fetch('/metrics')).text()
  const seconds = /^nodejs_eventloop_lag_p99_seconds\s+(\S+)/m.exec(text)?.[1]
  return Number(seconds ?? Number.NaN) * 1000
}
