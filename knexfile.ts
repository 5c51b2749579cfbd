import type { Knex } from 'knex'

import { createMigrationSource } from './src/db/migration-source.ts'

/** For the Knex command line alone (`npx knex migrate:status`); the service migrates by itself. */
const config: Knex.Config = {
  client: 'pg',
  connection: process.env['DATABASE_URL'] ?? '',
  searchPath: 'public',
  migrations: { migrationSource: createMigrationSource() },
}

export default config
