import { createReadStream, statSync } from 'node:fs'
import { tmpdir } from 'node:os'

import { createEngine } from '../../pipelines/index.ts'
import { createPool } from '../../src/db/pool.ts'
import { printMeasured } from '../support/measure.ts'

// One load by the engine, in a process of its own: file, schema, table, database, streams or
// «default», and the rows that must come of it where they are known.
const [path, schema, table, url, streams, expected] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
  string,
  string?,
]

const began = performance.now()
const pool = createPool(url, { max: 8 })
const size = statSync(path).size
const { counts } = await createEngine({ tempDir: tmpdir() }).load(
  {
    kind: 'bytes',
    path,
    size,
    open: async (signal) => createReadStream(path, { highWaterMark: 256 * 1024, signal }),
  },
  {},
  {
    connect: async () => {
      const client = await pool.connect()
      return { client, release: (broken) => client.release(broken) }
    },
    schema,
    table,
    rejects: { schema, table: `${table}_rejects` },
    mode: { kind: 'replace' },
    ...(streams === 'default' ? {} : { streams: Number(streams) }),
  },
  { signal: AbortSignal.timeout(3_600_000) },
)
await pool.end()
if (expected !== undefined && counts.loaded !== Number(expected)) {
  throw new Error(`The engine loaded ${counts.loaded} rows of ${expected}`)
}
printMeasured(began)
