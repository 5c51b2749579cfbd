import type { Pool, PoolClient } from 'pg'

import type { Logger } from '../observability/logger.ts'
import { partsOf } from './distribute-table.ts'
import { nameHousekeeping, unnameHousekeeping } from './housekeeping-session.ts'
import { forgetRejects } from './rejects.ts'
import type { TableEngine } from './table-engine.ts'
import { careForTable } from './care-for-table.ts'
import { readTable } from './look.ts'
import { mergePartitions } from './merge-partitions.ts'

/** Readers are not waited for: the next publication tries again. */
const LOCK_TIMEOUT_MS = 300

/** What a table needs after rows were added or removed, while nobody waits for it. One table at a time. */
export interface Housekeeping extends AsyncDisposable {
  after(tableId: number): void
}

interface HousekeepingParts {
  /** A connection of its own, since a vacuum may take a while. */
  readonly pool: Pool
  readonly tableEngine: TableEngine
  /** Drops the unused tables of one generated table. */
  dropUnused(tableId: number): Promise<void>
  readonly logger: Logger
}

/**
 * Updates statistics, vacuums, merges partitions and deletes old rejects, in this process only.
 * What a publication or the end of the process interrupts is done after the table's next
 * publication.
 */
export function createHousekeeping(parts: HousekeepingParts): Housekeeping {
  const { pool, tableEngine, dropUnused, logger } = parts
  const waiting = new Set<number>()
  const closing = new AbortController()
  let working: Promise<void> | null = null

  async function keep(tableId: number): Promise<void> {
    const client = await pool.connect()
    const stop = () => void end(client)
    closing.signal.addEventListener('abort', stop, { once: true })
    let isBroken = true
    try {
      await nameHousekeeping(client)
      const table = await readTable(client, tableId)
      await mergePartitions(client, table, tableEngine)
      await tableEngine.removeLocalRows(client, {
        tables: async () => partsOf(client, await readTable(client, tableId)),
        lockTimeoutMs: LOCK_TIMEOUT_MS,
      })
      await careForTable(client, tableEngine, tableId)
      await unnameHousekeeping(client)
      await forgetRejects(client, table)
      isBroken = false
    } finally {
      closing.signal.removeEventListener('abort', stop)
      client.release(isBroken)
    }
    await dropUnused(tableId)
  }

  function begin(): void {
    working ??= work().finally(() => {
      working = null
      if (waiting.size > 0) begin()
    })
  }

  async function work(): Promise<void> {
    for (const tableId of waiting) {
      waiting.delete(tableId)
      try {
        await keep(tableId)
      } catch (error) {
        logger.debug({ table: tableId, err: error }, 'the care for a table was cut off')
      }
    }
  }

  return {
    after(tableId) {
      if (closing.signal.aborted) return
      waiting.add(tableId)
      begin()
    },

    async [Symbol.asyncDispose]() {
      waiting.clear()
      closing.abort()
      await working
    },
  }
}

/** Closing the connection also ends whatever it is doing. */
async function end(client: PoolClient): Promise<void> {
  await (client as PoolClient & { end(): Promise<void> }).end().catch(() => undefined)
}
