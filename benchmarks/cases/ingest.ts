import { createReadStream, createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'

import type { Pool } from 'pg'
import { from, to } from 'pg-copy-streams'

import { type IngestOptions, MiB } from '../../pipelines/index.ts'
import { checkFiles } from '../../src/cli/file-source.ts'
import { createPool } from '../../src/db/pool.ts'
import type { BenchmarkCase, BenchmarkResult } from '../benchmark.ts'
import { type Contender, inTurns } from '../support/in-turns.ts'
import { type EngineLoad, loadByEngine } from '../support/load-by-engine.ts'
import { type Measured, time } from '../support/measure.ts'
import { benchmarkServer } from '../support/server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const SCHEMA = 'bench_ingest'

/** A file of the user's own, beside COPY of the very rows that the engine made of it. */
export function ingestCase(file: string): BenchmarkCase {
  const path = resolve(file)
  return {
    name: 'ingest',
    summary: `${basename(path)} into a typed table, against COPY of the clean rows`,
    rows: 0,
    async run({ runs, databaseUrl, options }) {
      await checkFiles([path])
      await using folder = await temporaryFolder('bench-ingest')
      await using server = await benchmarkServer(databaseUrl)
      const pool = createPool(server.url, { max: 2 })
      try {
        // Fails where the schema exists: what stands in it is not ours to drop.
        await pool.query(`create schema ${SCHEMA}`)
        try {
          const place = { folder: folder.path, url: server.url, pool }
          return await compare({ path, options }, runs, place)
        } finally {
          await pool.query(`drop schema ${SCHEMA} cascade`)
        }
      } finally {
        await pool.end()
      }
    },
  }
}

interface Stand {
  readonly folder: string
  readonly url: string
  readonly pool: Pool
}

interface OwnFile {
  readonly path: string
  readonly options: IngestOptions
}

async function compare(
  { path, options }: OwnFile,
  runs: number,
  stand: Stand,
): Promise<BenchmarkResult> {
  const { folder, url, pool } = stand
  const load = { path, options, url, schema: SCHEMA, table: 'engine' }
  const engine = (name: string, choice: Pick<EngineLoad, 'streams'> = {}): Contender => ({
    name,
    isOurs: true,
    run: () => loadByEngine({ ...load, ...choice }),
  })
  const clean = join(folder, 'clean.csv')
  await engine('first').run()
  await writeClean(pool, clean)
  const contenders = await inTurns(
    {
      copy: {
        name: 'COPY of the clean rows, CSV',
        prepare: async () => {
          await pool.query(
            `drop table if exists ${SCHEMA}.copied; create table ${SCHEMA}.copied (like ${SCHEMA}.engine)`,
          )
        },
        run: () => copyClean(pool, clean),
      },
      byDefault: engine('engine, default streams'),
      oneStream: engine('engine, 1 stream', { streams: 1 }),
      twoStreams: engine('engine, 2 streams', { streams: 2 }),
    },
    runs,
  )
  const { rows } = await pool.query<{ n: number }>(
    `select count(*)::int as n from ${SCHEMA}.engine`,
  )
  const bytes = (await stat(path)).size
  return {
    input: `${basename(path)}: ${rows[0]!.n.toLocaleString('en')} rows, ${(bytes / MiB).toFixed(1)} MiB`,
    rows: rows[0]!.n,
    bytes,
    contenders: Object.values(contenders),
    figures: [],
    caveats: [
      'COPY gets what the engine made of the file, written out as clean CSV: the same rows and types.',
      'MiB/s counts the bytes of your file for every contender.',
    ],
  }
}

async function writeClean(pool: Pool, clean: string): Promise<void> {
  const client = await pool.connect()
  try {
    await pipeline(
      client.query(to(`copy ${SCHEMA}.engine to stdout (format csv)`)),
      createWriteStream(clean),
    )
  } finally {
    client.release()
  }
}

async function copyClean(pool: Pool, clean: string): Promise<Measured> {
  const client = await pool.connect()
  try {
    return await time(() =>
      pipeline(
        createReadStream(clean, { highWaterMark: 256 * 1024 }),
        client.query(from(`copy ${SCHEMA}.copied from stdin (format csv)`)),
      ),
    )
  } finally {
    client.release()
  }
}
