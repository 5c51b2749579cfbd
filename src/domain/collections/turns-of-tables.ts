import { setTimeout as sleep } from 'node:timers/promises'

import { SourceBusyException } from '../../errors/index.ts'
import type { Lease, Leases } from '../../stack/leases.ts'
import { WaitingLines } from '../auth/waiting-lines.ts'

/** Senders to one table that wait in this process; the next one is asked to come back. */
const LONGEST_LINE = 100
/** How long one waits for other processes, and for other work on the table. */
const MOST_POLLS = 300
const PAUSE_MS = 100
const LATER = { headers: { 'retry-after': '10' } }

/**
 * One load at a time changes a table. Senders do not know of each other, so they wait for their turn:
 * in line in one process, and by asking again for what others hold.
 */
export function createTurnsOfTables(leases: Leases) {
  const lines = new WaitingLines(LONGEST_LINE, () => new SourceBusyException(undefined, LATER))

  async function hold<R>(
    tableId: number,
    signal: AbortSignal,
    work: (lease: Lease) => Promise<R>,
  ): Promise<R> {
    for (let polls = 0; ; polls++) {
      signal.throwIfAborted()
      let isHeld = false
      try {
        return await leases.during(tableId, null, (lease) => {
          isHeld = true
          return work(lease)
        })
      } catch (error) {
        if (isHeld || !(error instanceof SourceBusyException)) throw error
        if (polls >= MOST_POLLS)
          throw new SourceBusyException(error.detail, { ...LATER, cause: error })
      }
      await sleep(PAUSE_MS, undefined, { signal })
    }
  }

  return {
    take: <R>(
      tableId: number,
      signal: AbortSignal,
      work: (lease: Lease) => Promise<R>,
    ): Promise<R> => lines.take(String(tableId), () => hold(tableId, signal, work)),
  }
}

export type TurnsOfTables = ReturnType<typeof createTurnsOfTables>
