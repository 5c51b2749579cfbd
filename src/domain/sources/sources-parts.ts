import type { Knex } from 'knex'
import type { Pool } from 'pg'

import type { ObjectStore } from '../../storage/object-store.ts'
import type { LoadsParts } from '../loads/run-load.ts'

/** What the use cases of sources are made of. */
export interface SourcesParts extends LoadsParts {
  readonly knex: Knex
  /** Exports hold a connection for as long as the client takes. */
  readonly exportPool: Pool
  readonly store: ObjectStore
}
