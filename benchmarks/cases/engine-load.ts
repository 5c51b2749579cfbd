import { tmpdir } from 'node:os'

import {
  createCsvFormat,
  createEngine,
  type LoadConnection,
  quoteTable,
  Registry,
} from '../../pipelines/index.ts'
import { failureOf } from '../../src/cli/failure-of.ts'
import { ingestedTarget } from '../../src/cli/tables/ingested-table.ts'
import { loadTable, type LoadTarget } from '../../src/cli/tables/load-table.ts'
import { createPool } from '../../src/db/pool.ts'
import { inRange, rangeFrom, ROW } from '../../src/stack/table/partitions.ts'
import { bytesOf } from '../support/bytes-of.ts'
import type { EngineLoad } from '../support/load-by-engine.ts'
import { printMeasured } from '../support/measure.ts'

// One load by the engine, in a process of its own.
const load = JSON.parse(process.argv[2]!) as EngineLoad
const { path, url, schema, table, options = {}, streams, csvReader, expectedRows } = load
const { becomesPartition = false } = load

/** Knows CSV alone, and reads all of it through csv-parse, whatever the dialect. */
const generalFormats = () => new Registry([createCsvFormat(() => 'general')])

/** As the service fills tables: their bounds are known before the first row, and nothing is read again. */
function asPartition(target: LoadTarget): LoadTarget {
  const range = rangeFrom(target.rowsBefore)
  const whole = quoteTable({ schema, table })
  return {
    ...target,
    async renew(client, columns) {
      const staging = await target.renew(client, columns)
      await client.query(`alter table ${quoteTable(staging)} add check (${inRange(range)})`)
      return staging
    },
    async publish(client, filled) {
      const staging = quoteTable(filled.table)
      await client.query(
        `drop table if exists ${whole};
         create table ${whole} (like ${staging}, primary key (${ROW})) partition by range (${ROW});
         alter table ${whole} attach partition ${staging}
           for values from (${range.from}) to (${range.to})`,
      )
      return filled.rows
    },
  }
}

process.once('uncaughtException', (error) => void endWith(error))
async function endWith(error: unknown): Promise<never> {
  const { exitCode, message, stack } = await failureOf(error)
  process.stderr.write(`${stack ?? message}\n`)
  process.exit(exitCode)
}

const began = performance.now()
const pool = createPool(url, { max: 8 })
const connect = async (): Promise<LoadConnection> => {
  const client = await pool.connect()
  return { client, release: (broken) => client.release(broken) }
}
const engine = createEngine({
  tempDir: tmpdir(),
  ...(csvReader === undefined ? {} : { formats: generalFormats() }),
})
const plain = await ingestedTarget(connect, {
  schema,
  table,
  rejects: { schema, table: `${table}_rejects` },
  mode: { kind: 'replace' },
})
const target = becomesPartition ? asPartition(plain) : plain
const { counts } = await loadTable(
  engine,
  bytesOf(path),
  options,
  { ...target, ...(streams === undefined ? {} : { streams }) },
  { signal: AbortSignal.timeout(3_600_000) },
)
await pool.end()
if (expectedRows !== undefined && counts.loaded !== expectedRows) {
  throw new Error(`The engine loaded ${counts.loaded} rows of ${expectedRows}`)
}
printMeasured(began)
