import type { Pool } from 'pg'

import type { Ingest } from '../../src/domain/ingest/ingest.ts'
import { Leases } from '../../src/stack/leases.ts'
import type { LoadsParts } from '../../src/stack/fill/run-load.ts'
import { NO_NODES } from '../../src/stack/citus/nodes.ts'
import { PATIENCE } from '../../src/stack/table/lock-table.ts'
import { createLogger } from '../../src/observability/logger.ts'
import { Releases } from '../../src/processes/releases.ts'
import { openTestEngine } from './cluster.ts'
import { addProcess } from './processes.ts'

/** What loads are made of, for a process that lives; nothing is uploaded, and nothing is cared for. */
export async function loadsParts(pool: Pool, ingest: Ingest): Promise<LoadsParts> {
  const presence = await addProcess(pool)
  const releases = new Releases()
  return {
    pool,
    ingest,
    leases: new Leases({ pool, presence, releases, nodes: NO_NODES }),
    releases,
    uploads: {} as LoadsParts['uploads'],
    tableEngine: await openTestEngine(pool),
    patience: PATIENCE,
    loadsKept: 1,
    housekeeping: {
      after: () => undefined,
      [Symbol.asyncDispose]: async () => undefined,
    },
    counts: { loadEnded: () => undefined },
    logger: createLogger({ level: 'silent', pretty: false }),
  }
}
