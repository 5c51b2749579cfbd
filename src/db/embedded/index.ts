export { EmbeddedPostgresError, FolderBusyError } from './errors.ts'
export type { EmbeddedPostgresLogger } from './logger.ts'
export {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  runningPostgresUrl,
  startEmbeddedPostgres,
} from './start-embedded-postgres.ts'
