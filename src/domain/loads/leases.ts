import { randomUUID } from 'node:crypto'

import type { ClientBase, Pool } from 'pg'

import {
  problemDocument,
  ServiceUnavailableException,
  SourceBusyException,
} from '../../errors/index.ts'
import { isDead } from '../../processes/is-dead.ts'
import type { Presence } from '../../processes/presence.ts'
import type { Releases } from '../../processes/releases.ts'
import type { Nodes } from '../tables/nodes.ts'
import { loadMessages } from './load-messages.ts'

/** The right to change what one table shows. Who lost it cannot publish. */
export interface Lease {
  readonly tableId: number
  readonly token: string
}

/** Another process took the load for abandoned; ours must not publish into it any more. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError'

  static ofTable(tableId: number): LeaseLostError {
    return new LeaseLostError(`The lease of table ${tableId} was lost`)
  }

  static ofLoad(uuid: string): LeaseLostError {
    return new LeaseLostError(`The load ${uuid} was given up by others`)
  }
}

export interface LeasesParts {
  readonly pool: Pool
  readonly presence: Presence
  readonly releases: Releases
  readonly nodes: Nodes
}

const INTERRUPTED = JSON.stringify(
  problemDocument(new ServiceUnavailableException(loadMessages.interrupted())),
)

/** Of loads that their process, or an earlier run of their job, will never end. */
const INTERRUPT = `update loads
  set state = 'failed', error = '${INTERRUPTED.replaceAll("'", "''")}'::jsonb,
      finished_at = clock_timestamp(), partition_id = null
  where state = 'running'`

/** Sources whose first load has failed: they go with their loads. */
const FORGET_UNLOADED = `delete from generated_tables t
  where t.current_load_id is null and t.lease_process is null
    and exists (select from sources s where s.table_id = t.id)`

/** SQL that frees a table, for who sets other columns of it as well. */
export const FREE = 'lease_process = null, lease_token = null, lease_job = null'

/**
 * One load at a time and table, marked with the process and the job that run it. A job that is run
 * again takes over from its own earlier run, which may be cut off rather than dead.
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

  /** Of a table that is put on record with it. */
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

  /** Null: for what is no job. */
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
        // It may be taken, although the answer was lost: nobody else would ever free it.
        await this.giveBack(lease)
        throw error
      })
    if (rowCount !== 1) throw new SourceBusyException()
    return lease
  }

  /** Work that releases the lease when it succeeds; when it fails, wherever, the table is free again. */
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

  /** In the transaction that publishes: the last moment to learn that the lease was lost. */
  async release(client: ClientBase, { tableId, token }: Lease): Promise<void> {
    const { rowCount } = await client.query(
      `update generated_tables set ${FREE} where id = $1 and lease_token = $2`,
      [tableId, token],
    )
    if (rowCount !== 1) throw LeaseLostError.ofTable(tableId)
  }

  /**
   * Whatever became of the work. A source that was never loaded is forgotten; while the database is
   * away, that is done later.
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

  /** What an earlier run of the same job has begun: it may be cut off rather than dead. */
  async forgetUnloaded(jobUuid: string): Promise<void> {
    await this.#pool.query(
      `delete from generated_tables t
       where t.lease_job = $1 and t.current_load_id is null
         and exists (select from sources s where s.table_id = t.id)`,
      [jobUuid],
    )
  }

  /** Frees the tables of processes that died, and forgets the sources that they were making. */
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
