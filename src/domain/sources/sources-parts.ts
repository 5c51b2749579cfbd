import type { Knex } from 'knex'
import type { Pool } from 'pg'

import type { Lookups } from '../../db/lookups.ts'
import type { Places } from '../../shares.ts'
import type { ObjectStore } from '../../storage/object-store.ts'
import type { LoadsParts } from '../../stack/fill/run-load.ts'
import type { Nodes } from '../../stack/citus/nodes.ts'
import type { Shapes } from '../shapes/create-shapes.ts'

/** What the use cases of sources need. */
export interface SourcesParts extends LoadsParts {
  readonly knex: Knex
  readonly lookups: Lookups
  readonly shapes: Pick<Shapes, 'find' | 'findShared' | 'giveTo'>
  /** Exports hold a connection as long as the client keeps reading. */
  readonly exports: TableAccess
  readonly reads: Reads
  readonly store: ObjectStore
  /** How long a queued job waits for an unavailable part. */
  readonly jobsWaitMs: number
}

/** Where tables are read from, and whether they can be read now. */
export interface TableAccess {
  readonly pool: Pool
  readonly nodes: Nodes
}

/**
 * Pages can take long and be large, so they have their own connections, shared out in turn among
 * the enterprises.
 */
export interface Reads extends TableAccess {
  readonly places: Places
}
