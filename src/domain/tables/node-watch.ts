import type { Pool } from 'pg'

import { NodeUnavailableError } from '../../db/database-errors.ts'
import type { Sessions } from '../../db/sessions.ts'
import type { Logger } from '../../observability/logger.ts'
import { type Clock, systemClock } from '../../time/clock.ts'
import { every } from '../../time/every.ts'
import type { Nodes } from './nodes.ts'
import type { TableEngine } from './table-engine.ts'
import { readState } from './table-state.ts'

const LOOK_EVERY_MS = 2000
/** What takes longer may wait for a node: then they are asked. */
const WAITS_AFTER_MS = 2000

/** Statements of ours in a transaction that has to do with a distributed table, and has taken a while. */
const WAITING = `
  from pg_stat_activity a
  where a.datname = current_database() and a.application_name like $1 || '%'
    and a.pid <> pg_backend_pid() and a.state = 'active'
    and a.xact_start < clock_timestamp() - make_interval(secs => $2)
    and exists (
      select from pg_locks l join pg_dist_partition d on d.logicalrelid = l.relation
      where l.pid = a.pid and d.partmethod = 'h'
        and l.database = (select oid from pg_database where datname = current_database()))`

export interface NodeWatchParts {
  /** Its connections are for small questions alone: none waits for a node. */
  readonly pool: Pool
  readonly tableEngine: Pick<TableEngine, 'distributedOf'>
  readonly sessions: Sessions
  /** What the names of this process's sessions begin with. */
  readonly sessionName: string
  /** By host and port. */
  nodesAway(pool: Pool): Promise<readonly string[]>
  readonly logger: Logger
  readonly clock?: Clock
}

export interface NodeWatch extends Nodes, AsyncDisposable {
  /** Asks them now; fails where one is away. */
  ask(): Promise<void>
}

/**
 * A node that is frozen answers nothing, and closes nothing either: what waits for it would hold its
 * connection for as long as it is frozen, and keep out what needs no node. Nodes are asked when
 * something of this process seems to wait for one; where one is away, what waits ends, and what would
 * wait is refused until it is back.
 */
export function watchNodes(parts: NodeWatchParts): NodeWatch {
  const { pool, tableEngine, sessions, sessionName, logger, clock = systemClock } = parts
  const waiting = [sessionName, WAITS_AFTER_MS / 1000]
  let away: readonly string[] = []
  let asking: Promise<void> | null = null

  const missing = () => new NodeUnavailableError(`The cluster is without ${away.join(', ')}`)

  async function askAll(): Promise<void> {
    const found = await parts.nodesAway(pool)
    if (found.join() !== away.join()) {
      if (found.length > 0) logger.warn({ nodes: found }, 'nodes of the cluster are away')
      else logger.info({ nodes: away }, 'all nodes of the cluster answer again')
    }
    away = found
  }

  function askOnce(): Promise<void> {
    asking ??= askAll().finally(() => {
      asking = null
    })
    return asking
  }

  async function isDistributed(tableId: number): Promise<boolean> {
    const state = await readState(pool, tableId)
    return state !== null && (await tableEngine.distributedOf(pool, [state.name])).length > 0
  }

  const listWaiting = async () =>
    (await pool.query<{ pid: number }>(`select a.pid ${WAITING}`, waiting)).rows

  async function look(): Promise<void> {
    try {
      if (away.length === 0 && (await listWaiting()).length === 0) return
      await askOnce()
      if (away.length === 0) return
      for (const { pid } of await listWaiting()) sessions.breakOff(pid, missing())
      // On the server they would wait on. Behind a pooler its number is unknown here, and this is the end.
      await pool.query(`select pg_cancel_backend(a.pid) ${WAITING}`, waiting)
    } catch (error) {
      logger.debug({ err: error }, 'the nodes of the cluster could not be asked')
    }
  }

  const looking = every(LOOK_EVERY_MS, look, clock)
  return {
    async ask() {
      await askOnce()
      if (away.length > 0) throw missing()
    },

    async requireFor(tableId) {
      if (away.length > 0 && (await isDistributed(tableId))) throw missing()
    },

    [Symbol.asyncDispose]: () => looking[Symbol.asyncDispose](),
  }
}
