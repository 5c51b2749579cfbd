import type { Knex } from 'knex'
import type { Pool } from 'pg'

import type { Lookups } from '../../db/lookups.ts'
import type { Places } from '../../shares.ts'
import type { ObjectStore } from '../../storage/object-store.ts'
import type { LoadsParts } from '../loads/run-load.ts'
import type { Nodes } from '../tables/nodes.ts'

/** What the use cases of sources are made of. */
export interface SourcesParts extends LoadsParts {
  readonly knex: Knex
  readonly lookups: Lookups
  /** Exports hold a connection for as long as the client takes. */
  readonly exports: TableReading
  readonly reads: Reads
  readonly store: ObjectStore
  /** How long a queued job waits for what is away. */
  readonly jobsWaitMs: number
}

/** Where tables are read, and whether they can be. */
export interface TableReading {
  readonly pool: Pool
  readonly nodes: Nodes
}

/** Pages can take long and be large: they have connections of their own, in turn by enterprise. */
export interface Reads extends TableReading {
  readonly places: Places
}
