import { randomUUID } from 'node:crypto'

import type { ClientBase, Pool } from 'pg'

import {
  problemDocument,
  ServiceUnavailableException,
  SourceBusyException,
} from '../errors/index.ts'
import { isDead, type Presence } from '../processes/presence.ts'
import type { Releases } from '../processes/releases.ts'
import type { Nodes } from './citus/nodes.ts'
import { loadMessages } from './load-messages.ts'

/** The right to change what one table shows. Whoever has lost it cannot publish. */
export interface Lease {
  readonly tableId: number
  readonly token: string
}

/** Another process took the load for abandoned, so ours must not publish it any more. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError'

  static ofTable(tableId: number): LeaseLostError {
    return new LeaseLostError(`The lease of table ${tableId} was lost`)
  }

  static ofLoad(uuid: string): LeaseLostError {
    return new LeaseLostError(`The load ${uuid} was given up by others`)
  }
}

interface LeasesParts {
  readonly pool: Pool
  readonly presence: Presence
  readonly releases: Releases
  readonly nodes: Nodes
}

const INTERRUPTED = JSON.stringify(
  problemDocument(new ServiceUnavailableException(loadMessages.interrupted())),
)

/** Marks loads as failed that will never end, because their process died or their job is being run again. */
const INTERRUPT = `update loads
  set state = 'failed', error = '${INTERRUPTED.replaceAll("'", "''")}'::jsonb,
      finished_at = clock_timestamp(), partition_id = null
  where state = 'running'`

/** Removes sources whose first load failed; their loads go with them. */
const FORGET_UNLOADED = `delete from generated_tables t
  where t.current_load_id is null and t.lease_process is null
    and exists (select from sources s where s.table_id = t.id)`

/** SQL that frees a table, for statements that set other columns as well. */
export const FREE = 'lease_process = null, lease_token = null, lease_job = null'

/**
 * Only one load per table runs at a time; the table names the process and the job that run it. A
 * job that is run again takes over from its own earlier run, which may have been interrupted
 * rather than dead.
 */
export class Leases {
  readonly #pool: Pool
  readonly #presence: Presence
  readonly #releases: Releases
  readonly #nodes: Nodes

  constructor({ pool, presence, releases, nodes }: LeasesParts) {
    this.#pool = pool
    this.#presence = presence
    this.#releases = releases
    this.#nodes = nodes
  }

  /** The lease of a table that is recorded in the same statement. */
  async takeNew(
    client: ClientBase,
    { enterpriseId, tableName }: { readonly enterpriseId: number; readonly tableName: string },
    jobUuid: string,
  ): Promise<Lease> {
    const token = randomUUID()
    const { rows } = await client.query<{ id: number }>(
      `insert into generated_tables (enterprise_id, name, lease_process, lease_token, lease_job)
       values ($1, $2, $3, $4, $5) returning id`,
      [enterpriseId, tableName, this.#presence.processId, token, jobUuid],
    )
    return { tableId: rows[0]!.id, token }
  }

  /** `jobUuid` is null for work that is not a job. */
  async take(tableId: number, jobUuid: string | null): Promise<Lease> {
    const lease = { tableId, token: randomUUID() }
    const { rowCount } = await this.#pool
      .query(
        `with taken as (
           update generated_tables
           set lease_process = $2, lease_token = $3, lease_job = $4
           where id = $1 and dropped_at is null
             and (lease_process is null or lease_job = $4 or ${isDead('generated_tables.lease_process')})
           returning id),
         interrupted as (${INTERRUPT} and table_id in (select id from taken))
         select from taken`,
        [tableId, this.#presence.processId, lease.token, jobUuid],
      )
      .catch(async (error: unknown) => {
        // The lease may have been taken although the answer was lost; nobody else would ever free
        // it.
        await this.giveBack(lease)
        throw error
      })
    if (rowCount !== 1) throw new SourceBusyException()
    return lease
  }

  /**
   * Runs work that releases the lease itself when it succeeds; when it fails, wherever that is,
   * the table is freed.
   */
  async during<R>(
    tableId: number,
    jobUuid: string | null,
    work: (lease: Lease) => Promise<R>,
  ): Promise<R> {
    await this.#nodes.requireFor(tableId)
    const lease = await this.take(tableId, jobUuid)
    try {
      return await work(lease)
    } catch (error) {
      await this.giveBack(lease)
      throw error
    }
  }

  /** Call it in the transaction that publishes: this is the last moment to notice that the lease was lost. */
  async release(client: ClientBase, { tableId, token }: Lease): Promise<void> {
    const { rowCount } = await client.query(
      `update generated_tables set ${FREE} where id = $1 and lease_token = $2`,
      [tableId, token],
    )
    if (rowCount !== 1) throw LeaseLostError.ofTable(tableId)
  }

  /**
   * Ends the lease whatever became of the work, and removes a source that was never loaded. While
   * the database is away, this is done later.
   */
  async giveBack({ tableId, token }: Lease): Promise<void> {
    await this.#releases.release(async () => {
      await this.#pool.query(
        `with freed as (
           update generated_tables set ${FREE} where id = $1 and lease_token = $2 returning id)
         ${INTERRUPT} and table_id in (select id from freed)`,
        [tableId, token],
      )
      await this.#pool.query(`${FORGET_UNLOADED} and t.id = $1`, [tableId])
    })
  }

  /**
   * Forgets what an earlier run of the same job began: that run may have been interrupted rather
   * than dead.
   */
  async forgetUnloaded(jobUuid: string): Promise<void> {
    await this.#pool.query(
      `delete from generated_tables t
       where t.lease_job = $1 and t.current_load_id is null
         and exists (select from sources s where s.table_id = t.id)`,
      [jobUuid],
    )
  }

  /** Frees the tables of dead processes, and removes the sources that they were creating. */
  async sweep(): Promise<void> {
    await this.#pool.query(
      `with freed as (
         update generated_tables set ${FREE}
         where lease_process is not null and ${isDead('generated_tables.lease_process')}
         returning id)
       ${INTERRUPT} and table_id in (select id from freed)`,
    )
    await this.#pool.query(FORGET_UNLOADED)
  }
}
