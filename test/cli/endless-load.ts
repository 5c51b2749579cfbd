import { tmpdir } from 'node:os'

import { Pool } from 'pg'

import { createEngine } from '../../pipelines/index.ts'
import { ingestedTarget } from '../../src/cli/tables/ingested-table.ts'
import { loadTable } from '../../src/cli/tables/load-table.ts'
import { connectTo, jsonRows } from '../pipelines/engine/loading.ts'
import { patience } from '../support/patience.ts'

// A process that loads until it is killed.
const pool = new Pool({ connectionString: process.argv[2] })
const target = await ingestedTarget(() => connectTo(pool), {
  schema: 'public',
  table: 'endless',
  rejects: { schema: 'public', table: 'endless_rejects' },
  mode: { kind: 'replace' },
})
await loadTable(
  createEngine({ tempDir: tmpdir() }),
  jsonRows(Number.MAX_SAFE_INTEGER, (row) => ({ id: row })),
  {},
  { ...target, streams: 2 },
  { signal: patience() },
)
