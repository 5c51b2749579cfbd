import { tmpdir } from 'node:os'
import { Readable } from 'node:stream'

import type pg from 'pg'

import {
  type ByteSource,
  createEngine,
  EngineError,
  type EngineOptions,
  type IngestOptions,
  type LoadConnection,
  type IntakeControl,
  type LoadResult,
  type DataSource,
} from '../../../pipelines/index.ts'
import { ingestedTarget } from '../../../src/cli/tables/ingested-table.ts'
import { loadTable, type LoadTarget } from '../../../src/cli/tables/load-table.ts'
import type { LoadMode } from '../../../src/resources/load.ts'
import type { TestDatabase } from '../../support/database.ts'
import { patience } from '../../support/patience.ts'

/** What most tests of a load say, so that each says only what it is about. */
export interface LoadSetup {
  readonly options?: IngestOptions
  readonly mode?: LoadMode
  readonly target?: Partial<LoadTarget>
  readonly control?: Partial<IntakeControl>
  readonly engine?: Partial<EngineOptions>
}

interface LoadedTable extends LoadResult {
  readonly rowsInTable: number
}

/** Fills the table `loaded`, or what the setup makes of that. */
export async function loadInto(
  database: TestDatabase,
  source: DataSource,
  setup: LoadSetup = {},
): Promise<LoadedTable> {
  const engine = createEngine({ tempDir: tmpdir(), ...setup.engine })
  const target = await targetIn(database, setup)
  return loadTable(engine, source, setup.options ?? {}, target, {
    signal: patience(),
    ...setup.control,
  })
}

export async function targetIn(
  database: TestDatabase,
  { mode = { kind: 'replace' }, target }: LoadSetup = {},
): Promise<LoadTarget> {
  const plain = await ingestedTarget(() => connectTo(database.pool), {
    schema: 'public',
    table: 'loaded',
    rejects: { schema: 'public', table: 'loaded_rejects' },
    mode,
  })
  return { ...plain, streams: 2, ...target }
}

export async function connectTo(pool: pg.Pool): Promise<LoadConnection> {
  const client = await pool.connect()
  return { client, release: (broken) => client.release(broken) }
}

/** A source that counts how often it was opened. */
export interface CountedSource extends ByteSource {
  opened: number
}

export function bytesOf(text: string | Buffer | (() => Iterable<string | Buffer>)): CountedSource {
  return {
    kind: 'bytes',
    opened: 0,
    async open() {
      this.opened++
      if (typeof text === 'function') return Readable.from(buffers(text()))
      return Readable.from([Buffer.from(text)])
    },
  }
}

function* buffers(texts: Iterable<string | Buffer>): Generator<Buffer> {
  for (const text of texts) yield typeof text === 'string' ? Buffer.from(text) : text
}

/** Newline-delimited JSON, made as it is read. */
export function jsonRows(
  rows: number,
  make: (row: number) => Readonly<Record<string, unknown>>,
): CountedSource {
  return bytesOf(function* () {
    const AT_ONCE = 500
    for (let from = 1; from <= rows; from += AT_ONCE) {
      let text = ''
      for (let row = from; row < Math.min(from + AT_ONCE, rows + 1); row++) {
        text += `${JSON.stringify(make(row))}\n`
      }
      yield text
    }
  })
}

export async function failureOf(loading: Promise<unknown>): Promise<unknown> {
  return loading.then(
    () => {
      throw new Error('The load was expected to fail')
    },
    (error: unknown) => error,
  )
}

/** What the engine refuses; anything else that goes wrong is thrown on. */
export async function refusalOf(loading: Promise<unknown>): Promise<EngineError> {
  const error = await failureOf(loading)
  if (error instanceof EngineError) return error
  throw error
}

export async function rowsOf(
  database: TestDatabase,
  sql = 'select * from loaded order by _row',
): Promise<Record<string, unknown>[]> {
  return (await database.pool.query<Record<string, unknown>>(sql)).rows
}

export async function stagingTables(database: TestDatabase): Promise<string[]> {
  const { rows } = await database.pool.query<{ relname: string }>(
    "select relname from pg_class where relkind = 'r' and relname like 'staging-%'",
  )
  return rows.map(({ relname }) => relname)
}
