import type { Pool } from 'pg'

import {
  createEngine,
  type Expectation,
  type LoadConnection,
  type TargetColumns,
} from '../../pipelines/index.ts'
import { ingestedTarget } from '../../src/cli/tables/ingested-table.ts'
import { loadTable } from '../../src/cli/tables/load-table.ts'
import type { BenchmarkOptions, BenchmarkResult } from '../benchmark.ts'
import { bytesOf } from './bytes-of.ts'
import { inFolder } from './in-folder.ts'
import { migratedDatabase } from './migrated-database.ts'

/** Where loads whose columns are expected are measured. */
export interface Stand {
  readonly pool: Pool
  readonly folder: string
  readonly rows: number
  readonly runs: number
}

export const onStand =
  (measure: (stand: Stand) => Promise<BenchmarkResult>) =>
  ({ rows, runs, databaseUrl }: BenchmarkOptions): Promise<BenchmarkResult> =>
    inFolder(async (folder) => {
      await using database = await migratedDatabase(databaseUrl, 8)
      return await measure({ pool: database.pool, folder, rows, runs })
    })

/** Loads a file anew into a table of the schema “public”; returns the columns that were seen to be distinct. */
export function loaderOf({ pool, folder }: Stand, path: string, table: string) {
  const engine = createEngine({ tempDir: folder })
  const connect = async (): Promise<LoadConnection> => {
    const client = await pool.connect()
    return { client, release: (broken) => client.release(broken) }
  }
  return async (expectation: Expectation | null): Promise<readonly string[]> => {
    const target = await ingestedTarget(connect, {
      schema: 'public',
      table,
      rejects: { schema: 'public', table: `${table}_rejects` },
      mode: { kind: 'replace' },
    })
    const columns: TargetColumns =
      expectation === null ? { kind: 'any' } : { kind: 'expected', expectation }
    const signal = AbortSignal.timeout(3_600_000)
    let distinct: readonly string[] = []
    const publish: typeof target.publish = (client, filled) => {
      distinct = filled.distinct
      return target.publish(client, filled)
    }
    await loadTable(engine, bytesOf(path), {}, { ...target, columns, publish }, { signal })
    return distinct
  }
}
