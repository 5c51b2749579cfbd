import type { Pool } from 'pg'

import type { Logger } from '../observability/logger.ts'
import { recordMissingSizes } from './partitions.ts'
import type { TableEngine } from './table-engine.ts'
import type { Uploads } from '../domain/uploads/uploads.ts'
import { dropUnused } from './drop-tables.ts'
import type { GeneratedTable } from './stack.ts'
import type { Housekeeping } from './keep/housekeeping.ts'
import type { KeptFile } from './load.ts'

interface ClearingParts {
  readonly pool: Pool
  readonly uploads: Uploads
  readonly tableEngine: TableEngine
  readonly housekeeping: Housekeeping
  readonly logger: Logger
}

/**
 * Runs after a table shows something else, or after a load has failed: removes what can no longer
 * be asked for. If this fails, the load does not fail with it; the sweeps will do the rest.
 */
export async function clearUp(
  parts: ClearingParts,
  table: Pick<GeneratedTable, 'id' | 'enterpriseId'>,
  forgotten: readonly KeptFile[] = [],
): Promise<void> {
  const { pool, uploads, tableEngine, housekeeping, logger } = parts
  for (const file of forgotten) await uploads.discard(file)
  try {
    await recordMissingSizes(pool, tableEngine, table)
    await dropUnused(parts, table.id)
  } catch (error) {
    logger.warn({ table: table.id, err: error }, 'a table could not be cleared up after')
  }
  housekeeping.after(table.id)
}
