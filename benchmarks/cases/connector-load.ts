import { tmpdir } from 'node:os'

import { createEngine, type LoadConnection } from '../../pipelines/index.ts'
import { collectLessOften } from '../../src/start/collect-less-often.ts'
import { createFormulairesConnector } from '../../src/connectors/formulaires/connector.ts'
import { createPool } from '../../src/db/pool.ts'
import { ingestedTarget } from '../../src/cli/tables/ingested-table.ts'
import { loadTable } from '../../src/cli/tables/load-table.ts'
import { parseOutboundAllow } from '../../src/security/outbound/allow-list.ts'
import { createOutboundHttp } from '../../src/security/outbound/http.ts'
import { printMeasured } from '../support/measure.ts'

// A form through the connector into a table: address, key, form, responses, database, table.
const [address, key, form, expected, databaseUrl, table] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
  string,
  string,
]

// As in the service, where all of this stands before anybody asks for a form.
collectLessOften()
const http = createOutboundHttp({
  allow: parseOutboundAllow([new URL(address).host]),
  requestTimeoutMs: 10_000,
})
const { form: forms } = createFormulairesConnector({ http }).resources
const engine = createEngine({ tempDir: tmpdir() })
const pool = createPool(databaseUrl, { max: 8 })

const connect = async (): Promise<LoadConnection> => {
  const client = await pool.connect()
  return { client, release: (broken) => client.release(broken) }
}

const began = performance.now()
const signal = AbortSignal.timeout(3_600_000)
const { source } = await forms!.open({ baseUrl: address, apiKey: key }, form, signal)
const { counts } = await loadTable(
  engine,
  source,
  {},
  await ingestedTarget(connect, {
    schema: 'public',
    table,
    rejects: { schema: 'public', table: `${table}_rejects` },
    mode: { kind: 'replace' },
  }),
  { signal },
)
if (counts.read !== Number(expected)) throw new Error(`${counts.read} responses of ${expected}`)
await Promise.all([pool.end(), http.close()])
printMeasured(began)
