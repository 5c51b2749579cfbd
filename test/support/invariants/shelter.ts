import type { Pool } from 'pg'

import type { S3Server } from '../s3-server/index.ts'

/** Everything around the service that can be looked into from outside. */
export interface Shelter {
  readonly pool: Pool
  readonly dataDir: string
  /** Null: objects lie in the data folder. */
  readonly buckets: { readonly server: S3Server; readonly names: readonly string[] } | null
  /** What must stand nowhere but in the settings. */
  secrets(): readonly string[]
  /** The processes of the service that live. */
  pids(): readonly number[]
  /** All that the processes wrote. */
  output(): readonly string[]
}
