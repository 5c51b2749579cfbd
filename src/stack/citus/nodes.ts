import type { Pool } from 'pg'

import { NodeUnavailableError } from '../../db/database-errors.ts'
import type { Sessions } from '../../db/sessions.ts'
import type { Logger } from '../../observability/logger.ts'
import { type Clock, systemClock, every } from '../../time/clock.ts'
import { readState } from '../read/snapshot.ts'
import type { TableEngine } from '../table/table-engine.ts'

/** What a process knows about the nodes of its cluster. */
export interface Nodes {
  /** Throws if the rows of the table are spread over the nodes and one of them is away. */
  requireFor(tableId: number): Promise<void>
}

/** For a database without nodes, and for commands, whose user can interrupt them. */
export const NO_NODES: Nodes = { requireFor: async () => undefined }

const LOOK_EVERY_MS = 2000
/** A statement that takes longer may be waiting for a node, so the nodes are asked. */
const WAITS_AFTER_MS = 2000

/**
 * Statements of this service that have been running for a while in a transaction that uses a
 * distributed table.
 */
const WAITING = `
  from pg_stat_activity a
  where a.datname = current_database() and a.usename = current_user and a.application_name like $1 || '%'
    and a.pid <> pg_backend_pid() and a.state = 'active'
    and a.xact_start < clock_timestamp() - make_interval(secs => $2)
    and exists (
      select from pg_locks l join pg_dist_partition d on d.logicalrelid = l.relation
      where l.pid = a.pid and d.partmethod = 'h'
        and l.database = (select oid from pg_database where datname = current_database()))`

interface NodeWatchParts {
  /** Its connections serve only small questions, none of which waits for a node. */
  readonly pool: Pool
  readonly tableEngine: Pick<TableEngine, 'distributedOf'>
  readonly sessions: Sessions
  /** The prefix of the names of this process's sessions. */
  readonly sessionName: string
  /** As host and port. */
  nodesAway(pool: Pool): Promise<readonly string[]>
  readonly logger: Logger
  readonly clock?: Clock
}

export interface NodeWatch extends Nodes, AsyncDisposable {
  /** Asks the nodes now; fails if one is away. */
  ask(): Promise<void>
}

/**
 * A frozen node neither answers nor closes connections: whatever waits for it would hold its own
 * connection just as long, and block work that needs no node. So the nodes are asked as soon as
 * something of this process seems to wait for one. While a node is away, waiting statements are
 * cancelled and new ones that need it are refused.
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
      // Cancelled on the server where they wait. Behind a pooler their process ids are unknown
      // here, so this is the only way.
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
