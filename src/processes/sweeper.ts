import type { Pool } from 'pg'

import { every } from '../time/clock.ts'
import type { Logger } from '../observability/logger.ts'
import { OutageLog } from '../observability/outage-log.ts'
import { type OpenPresence, removeDead, settleMissing } from './presence.ts'

/** A clean-up that runs regularly. Several processes may run the same one at once. */
export interface Sweep {
  readonly name: string
  readonly everyMs: number
  /**
   * `one`: when it is due, one process does it for all. `each`: every process does it, because it
   * cleans up what only that process knows of.
   */
  readonly by: 'one' | 'each'
  /** Also runs once before the service answers, even if another process ran it a moment ago. */
  readonly beforeAnswering?: boolean
  run(): Promise<unknown>
}

interface SweeperParts {
  readonly pool: Pool
  readonly presence: Pick<OpenPresence, 'processId' | 'beatMs'>
  readonly logger: Logger
}

const MAKE_KNOWN = `
  insert into sweeps (name) select unnest($1::text[]) on conflict do nothing`

const TAKE_DUE = `
  update sweeps set due_at = now() + make_interval(secs => every_ms / 1000)
  from unnest($1::text[], $2::float8[]) as known (known_name, every_ms)
  where name = known_name and due_at <= now() returning name`

const MAKE_ALL_DUE = `update sweeps set due_at = '-infinity' where due_at > now()`

/**
 * Runs each sweep when it is due, independently of the others: one that fails or hangs does not
 * delay them. A failure is logged with the sweep's name, and the sweep runs again when it is next
 * due.
 */
export async function startSweeper(
  { pool, presence, logger }: SweeperParts,
  sweeps: readonly Sweep[],
): Promise<AsyncDisposable> {
  const all = [sweepOfDead({ pool, presence, logger }), ...sweeps]
  const shared = all.filter(({ by }) => by === 'one')
  const names = shared.map(({ name }) => name)
  const intervals = shared.map(({ everyMs }) => everyMs)
  const own = new Map(all.filter(({ by }) => by === 'each').map((sweep) => [sweep, -Infinity]))
  const running = new Map<Sweep, Promise<void>>()
  const outages = new Map(
    all.map((sweep) => [sweep, new OutageLog({ logger, what: `the sweep of ${sweep.name}` })]),
  )
  const looking = new OutageLog({ logger, what: 'looking for sweeps that are due' })

  async function runOnce(sweep: Sweep): Promise<void> {
    const outage = outages.get(sweep)!
    try {
      await sweep.run()
      outage.worked()
    } catch (error) {
      outage.failed(error)
    } finally {
      running.delete(sweep)
    }
  }

  function start(sweep: Sweep): Promise<void> {
    const underWay = running.get(sweep)
    if (underWay) return underWay
    const begun = runOnce(sweep)
    running.set(sweep, begun)
    return begun
  }

  async function startDue(): Promise<void> {
    for (const [sweep, dueAt] of own) {
      if (performance.now() < dueAt) continue
      own.set(sweep, performance.now() + sweep.everyMs)
      void start(sweep)
    }
    try {
      const { rows } = await pool.query<{ name: string }>(TAKE_DUE, [names, intervals])
      looking.worked()
      const due = new Set(rows.map(({ name }) => name))
      for (const sweep of shared) if (due.has(sweep.name)) void start(sweep)
    } catch (error) {
      looking.failed(error)
    }
  }

  await pool.query(MAKE_KNOWN, [names])
  await settleMissing({ pool, logger, processId: presence.processId })
  await Promise.all(all.filter(({ beforeAnswering }) => beforeAnswering).map(start))
  const ticking = every(presence.beatMs, startDue)
  return {
    async [Symbol.asyncDispose]() {
      await ticking[Symbol.asyncDispose]()
      await Promise.all(running.values())
    },
  }
}

/** What a dead process left behind need not wait until its sweep is due. */
const sweepOfDead = ({ pool, presence, logger }: SweeperParts): Sweep => ({
  name: 'dead processes',
  everyMs: presence.beatMs,
  by: 'one',
  async run() {
    const removed = await removeDead({ pool, logger, processId: presence.processId })
    if (removed > 0) await pool.query(MAKE_ALL_DUE)
  },
})
