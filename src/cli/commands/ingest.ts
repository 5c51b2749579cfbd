import { availableParallelism, tmpdir } from 'node:os'

import { type Command, InvalidArgumentError, Option } from 'commander'

import { createEngine, type IngestOptions, type LoadResult } from '../../../pipelines/index.ts'
import { createPool } from '../../db/pool.ts'
import { dropAbandoned, type PlainMode, plainTarget } from '../../domain/tables/plain-table.ts'
import type { StopRequest } from '../../stop-request.ts'
import { complain } from '../complain.ts'
import { openFile } from '../file-source.ts'
import { parseIngestOptions } from '../ingest-options.ts'
import { openLoadDatabase } from '../load-database.ts'
import { createProgressBar } from '../progress-bar.ts'

const TABLE_NAME = /^[a-z_][a-z0-9_]{0,62}$/
const REJECTS = '_rejects'
/** Connections besides the COPY streams: one that cancels or asks, one that clears up. */
const SPARE_CONNECTIONS = 2
const MOST_STREAMS = 16

interface IngestFlags {
  readonly table: string
  readonly schema: string
  readonly databaseUrl?: string
  readonly dataDir: string
  readonly options: IngestOptions
  readonly streams?: number
  readonly append: boolean
  readonly upsert?: string
}

/** `ingest FILE --table T`: the engine without the API. One JSON report on standard output. */
export function ingest(program: Command, stop: StopRequest): void {
  program
    .command('ingest')
    .description('Load a file into a typed table')
    .argument('<file>', 'path of the file; - reads standard input')
    .requiredOption('--table <name>', 'table to fill', parseTableName)
    .option('--schema <name>', 'schema of the table; made when absent', parseTableName, 'public')
    .option('--database-url <url>', 'default: DATABASE_URL, else the embedded database')
    .addOption(new Option('--data-dir <folder>').env('DATA_DIR').default('./.data'))
    .option('--options <json>', 'what is known about the file', parseIngestOptions, {})
    .option('--streams <n>', 'COPY streams at once', parseStreams)
    .option('--append', 'add to the rows of the table instead of replacing them', false)
    .addOption(
      new Option(
        '--upsert <header>',
        'like --append; rows with a known key are replaced',
      ).conflicts('append'),
    )
    .action(async (file: string, flags: IngestFlags) => {
      const signal = stop.stopInOrder()
      try {
        const loaded = await loadFile(file, flags, signal)
        process.stdout.write(`${JSON.stringify(reported(flags, loaded))}\n`)
      } catch (error) {
        process.exitCode = complain(error, process.stderr, stop)
      }
    })
}

interface Loaded {
  readonly result: LoadResult
  readonly rowsInTable: number
}

async function loadFile(file: string, flags: IngestFlags, signal: AbortSignal): Promise<Loaded> {
  await using input = await openFile(file, process.stdin, signal)
  await using database = await openLoadDatabase(flags.databaseUrl, flags.dataDir, signal)
  const pool = createPool(database.url, {
    max: (flags.streams ?? availableParallelism()) + SPARE_CONNECTIONS,
  })
  await using _closing = { [Symbol.asyncDispose]: () => pool.end() }
  const connect = async () => {
    const client = await pool.connect()
    return { client, release: (broken?: boolean) => client.release(broken) }
  }
  await pool.query(`create schema if not exists "${flags.schema}"`)
  await dropAbandoned(connect, flags.schema)
  const target = await plainTarget(connect, {
    schema: flags.schema,
    table: flags.table,
    rejects: { schema: flags.schema, table: rejectsTable(flags.table) },
    mode: loadMode(flags),
  })
  using bar = createProgressBar(process.stderr)
  const result = await createEngine({ tempDir: tmpdir() }).load(
    input.source,
    flags.options,
    { ...target, ...(flags.streams === undefined ? {} : { streams: flags.streams }) },
    { signal, onProgress: (progress) => bar.show(progress) },
  )
  return { result, rowsInTable: target.rowsInTable() }
}

function loadMode({ append, upsert }: IngestFlags): PlainMode {
  if (upsert !== undefined) return { kind: 'upsert', key: upsert }
  return { kind: append ? 'append' : 'replace' }
}

function reported({ schema, table }: IngestFlags, { result, rowsInTable }: Loaded) {
  const rejects = result.counts.rejected > 0 ? rejectsTable(table) : null
  return { schema, table, rejects, rowsInTable, ...result.report }
}

function rejectsTable(table: string): string {
  return table.slice(0, 63 - REJECTS.length) + REJECTS
}

function parseTableName(text: string): string {
  if (TABLE_NAME.test(text)) return text
  throw new InvalidArgumentError('It has to match ^[a-z_][a-z0-9_]{0,62}$')
}

function parseStreams(text: string): number {
  const streams = Number(text)
  if (Number.isInteger(streams) && streams >= 1 && streams <= MOST_STREAMS) return streams
  throw new InvalidArgumentError(`It has to be a number from 1 to ${MOST_STREAMS}`)
}
