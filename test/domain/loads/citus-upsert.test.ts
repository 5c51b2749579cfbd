import { expect } from 'chai'

import { EngineError } from '../../../pipelines/index.ts'
import type { LoadMode } from '../../../src/domain/loads/load.ts'
import {
  type LoadRequest,
  type LoadsParts,
  runLoad,
  type Work,
} from '../../../src/domain/loads/run-load.ts'

describe('a load into tables that Citus distributes', () => {
  /** Parts that do nothing, and fail with a word of their own once a load is put on record. */
  const partsOf = (name: LoadsParts['tableEngine']['name']) =>
    ({
      tableEngine: { name },
      pool: { query: async () => Promise.reject(new Error('begun')) },
      leases: { giveBack: async () => undefined },
      releases: { release: async () => undefined },
      uploads: {},
      housekeeping: { after: () => undefined },
      logger: { warn: () => undefined },
    }) as unknown as LoadsParts

  async function failureOf(name: LoadsParts['tableEngine']['name'], mode: LoadMode) {
    const request = {
      mode,
      table: { id: 1, enterpriseId: 1 },
      actor: { id: 1 },
      lease: { tableId: 1, token: '' },
      content: {
        failure: () => null,
        describe: async () => null,
        discard: async () => undefined,
      },
    } as unknown as LoadRequest
    const work = { signal: new AbortController().signal } as Work
    return runLoad(partsOf(name), request, work).catch((error: unknown) => error as Error)
  }

  it('is refused clearly where rows are to be replaced by key, before it begins', async () => {
    const refusal = await failureOf('citus', { kind: 'upsert', key: 'a' })
    expect(refusal).to.be.instanceOf(EngineError)
    expect((refusal as Error).message)
      .to.include('Citus')
      .and.include('append')
  })

  it('begins in any other mode, as every load does elsewhere', async () => {
    for (const failure of [
      await failureOf('citus', { kind: 'replace' }),
      await failureOf('citus', { kind: 'append' }),
      await failureOf('postgres', { kind: 'upsert', key: 'a' }),
    ]) {
      expect((failure as Error).message).to.equal('begun')
    }
  })
})
