import { availableParallelism, tmpdir } from 'node:os'

import type { Pool } from 'pg'

import { createEngine, type IngestOptions } from '../../pipelines/index.ts'
import { createPool } from '../db/pool.ts'
import { openTableEngine, type TableEngine } from '../stack/table/table-engine.ts'
import type { LoadMode } from '../resources/load.ts'
import type { ReportedLoad } from './describe-load.ts'
import { openFile, shownFile } from './file-source.ts'
import { openLoadDatabase, tableEngineOptions } from './load-database.ts'
import { createProgressBar } from './progress-bar.ts'
import { givenTarget } from './tables/given-table.ts'
import { dropAbandoned, ingestedTarget } from './tables/ingested-table.ts'
import {
  type Connect,
  connectTo,
  loadTable,
  type LoadTarget,
  withConnection,
} from './tables/load-table.ts'
import type { ShapedTable } from './tables/shaped-table.ts'

const REJECTS = '_rejects'
/** Connections besides the COPY streams: one to cancel or query, one to clean up. */
const SPARE_CONNECTIONS = 2
const LONGEST_NAME = 63

export interface LoadFlags {
  readonly table?: string
  readonly schema: string
  readonly into?: { readonly schema: string; readonly table: string }
  readonly map: readonly (readonly [header: string, column: string])[]
  readonly databaseUrl?: string
  readonly dataDir: string
  readonly streams?: number
  readonly append: boolean
  readonly upsert?: string
  /** A file with a shape. */
  readonly shape?: string
}

export interface Telling {
  begin(file: string): void
  tell(load: ReportedLoad): Promise<void>
}

/** Each file is a load of its own; every file after the first is appended to it. */
export async function loadFiles(
  files: readonly string[],
  flags: LoadFlags,
  options: IngestOptions,
  signal: AbortSignal,
  { begin, tell }: Telling,
): Promise<void> {
  const shaped = flags.shape === undefined ? null : await readShaped(flags.shape, flags.map)
  await using database = await openLoadDatabase(flags.databaseUrl, flags.dataDir, signal)
  const pool = createPool(database.url, {
    max: (flags.streams ?? availableParallelism()) + SPARE_CONNECTIONS,
  })
  await using _closing = { [Symbol.asyncDispose]: () => pool.end() }
  const connect = connectTo(pool)
  const shape = shaped && (await withConnection(connect, shaped))
  const { schema, table } = flags.into ?? { schema: flags.schema, table: flags.table! }
  if (flags.into === undefined) await makeSchema(pool, schema)
  await dropAbandoned(connect, schema)
  const tables = await openTableEngine(tableEngineOptions(), pool)
  const engine = createEngine({ tempDir: tmpdir() })
  for (const [index, file] of files.entries()) {
    const shown = shownFile(file)
    begin(shown)
    await using input = await openFile(file, process.stdin, signal)
    const { source } = input
    const bytes = source.kind === 'bytes' ? (source.size ?? source.sizeAtMost) : undefined
    const mode = modeOf(flags, index)
    const target = await openTarget(connect, flags, {
      schema,
      table,
      mode,
      engine: tables,
      shape,
      ...(bytes !== undefined && { bytes }),
    })
    using bar = await createProgressBar(process.stderr)
    const { report, counts, rowsInTable } = await loadTable(
      engine,
      source,
      options,
      { ...target, ...(flags.streams === undefined ? {} : { streams: flags.streams }) },
      { signal, onProgress: (progress) => bar.show(progress) },
    )
    bar[Symbol.dispose]()
    const rejects = counts.rejected > 0 ? rejectsTable(table) : null
    const { table: sheet, ...told } = report
    const into = { file: shown, schema, table, rejects, rowsInTable }
    const { isDistributed: distributed } = target
    await tell({ ...told, ...into, ...(distributed && { distributed }), ...(sheet && { sheet }) })
  }
}

interface Place {
  readonly schema: string
  readonly table: string
  readonly mode: LoadMode
  readonly engine: TableEngine
  readonly shape: ShapedTable | null
  readonly bytes?: number
}

function openTarget(
  connect: Connect,
  { into, map }: LoadFlags,
  { schema, table, shape, ...how }: Place,
): Promise<LoadTarget> {
  const rejects = { schema, table: rejectsTable(table) }
  return into === undefined
    ? ingestedTarget(connect, {
        schema,
        table,
        rejects,
        ...how,
        ...(shape && { shape }),
      })
    : givenTarget(connect, { schema, table, rejects, columns: new Map(map) })
}

/** Most loads are given no shape, and need not load what reads one. */
async function readShaped(path: string, map: LoadFlags['map']) {
  const { readShapedTable } = await import('./tables/shaped-table.ts')
  const given = map.map(([header, column]) => [header, column === '' ? null : column])
  return readShapedTable(path, Object.fromEntries(given))
}

function modeOf({ append, upsert }: LoadFlags, index: number): LoadMode {
  if (upsert !== undefined) return { kind: 'upsert', key: upsert }
  return { kind: append || index > 0 ? 'append' : 'replace' }
}

/**
 * An existing schema is not created again, since that takes a privilege that loading does not need.
 */
async function makeSchema(pool: Pool, schema: string): Promise<void> {
  const { rowCount } = await pool.query('select from pg_namespace where nspname = $1', [schema])
  if (rowCount === 0) await pool.query(`create schema if not exists "${schema}"`)
}

function rejectsTable(table: string): string {
  return table.slice(0, LONGEST_NAME - REJECTS.length) + REJECTS
}
