import { expect } from 'chai'

import { EngineError } from '../../../pipelines/index.ts'
import { createIngest, type IngestParts } from '../../../src/domain/ingest/create-ingest.ts'
import type { IngestTarget } from '../../../src/domain/ingest/ingest.ts'

describe('a load into tables that Citus distributes', () => {
  let begun = 0

  /** An engine that does nothing, and a schema that is there already. */
  const ingestOf = (name: IngestParts['tableEngine']['name']) =>
    createIngest({
      engine: {
        load: async () => {
          begun += 1
        },
      },
      pool: { query: async () => ({ rows: [{ there: true }] }) },
      concurrentLoads: 1,
      tableEngine: { name },
    } as unknown as IngestParts)

  const load = (name: IngestParts['tableEngine']['name'], mode: IngestTarget['mode']) =>
    ingestOf(name).load(
      { kind: 'records', columns: [], pages: async function* () {} },
      {},
      { enterpriseId: 1, table: 't', rejectsTable: 'r', mode, publish: async () => undefined },
      { signal: new AbortController().signal, seal: async () => undefined },
    )

  it('is refused clearly where rows are to be replaced by key, before it begins', async () => {
    begun = 0
    const refusal: unknown = await load('citus', { kind: 'upsert', key: 'a' }).catch(
      (error: unknown) => error,
    )
    expect(refusal).to.be.instanceOf(EngineError)
    expect((refusal as Error).message)
      .to.include('Citus')
      .and.include('append')
    expect(begun).to.equal(0)
  })

  it('begins in any other mode, as every load does elsewhere', async () => {
    begun = 0
    await load('citus', { kind: 'replace' })
    await load('citus', { kind: 'append' })
    await load('postgres', { kind: 'upsert', key: 'a' })
    expect(begun).to.equal(3)
  })
})
