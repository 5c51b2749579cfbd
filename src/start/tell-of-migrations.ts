import type { MigrationTeller } from '../db/migrate.ts'
import type { Logger } from '../observability/logger.ts'

/** A line when each migration begins, while it takes, and when it ends; and when others are in its way. */
export const tellOfMigrations = (logger: Logger): MigrationTeller => ({
  begins: (migration, number, of) =>
    logger.info({ migration, number, of }, 'migrating the database'),
  goesOn: (migration, seconds) => logger.info({ migration, seconds }, 'still migrating'),
  ended: (migration, seconds) => logger.info({ migration, seconds }, 'migrated the database'),
  waits: (reason) =>
    logger.warn(
      { reason },
      'others use the database: nothing is migrated yet, and it is tried again',
    ),
})
