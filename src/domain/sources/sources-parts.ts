import type { Knex } from 'knex'
import type { Pool } from 'pg'

import type { Places } from '../../shares.ts'
import type { ObjectStore } from '../../storage/object-store.ts'
import type { LoadsParts } from '../loads/run-load.ts'

/** What the use cases of sources are made of. */
export interface SourcesParts extends LoadsParts {
  readonly knex: Knex
  /** Exports hold a connection for as long as the client takes. */
  readonly exportPool: Pool
  readonly reads: Reads
  readonly store: ObjectStore
  /** How long a queued job waits for what is away. */
  readonly jobsWaitMs: number
}

/** Pages can take long and be large: they have connections of their own, in turn by enterprise. */
export interface Reads {
  readonly pool: Pool
  readonly places: Places
}
