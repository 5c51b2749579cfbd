import type { Knex } from 'knex'
import type { Pool } from 'pg'

import type { ObjectStore } from '../../storage/object-store.ts'
import type { Ingest } from '../ingest/ingest.ts'
import type { Uploads } from '../uploads/uploads.ts'
import type { Leases } from './leases.ts'

/** What the use cases of sources are made of. */
export interface SourcesParts {
  readonly knex: Knex
  readonly pool: Pool
  /** Exports hold a connection for as long as the client takes. */
  readonly exportPool: Pool
  readonly store: ObjectStore
  readonly uploads: Uploads
  readonly ingest: Ingest
  readonly leases: Leases
}
