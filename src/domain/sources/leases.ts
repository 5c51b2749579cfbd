import { randomUUID } from 'node:crypto'

import type { Knex } from 'knex'
import type { ClientBase, Pool } from 'pg'

import { translateDatabaseError, UniqueViolationError } from '../../db/database-errors.ts'
import { SourceBusyException, SourceTableAlreadyExistsException } from '../../errors/index.ts'
import { Source as Row } from '../../models/source.ts'
import { isDead } from '../../processes/is-dead.ts'
import type { Presence } from '../../processes/presence.ts'

/** The right to load into one source. Who lost it cannot publish. */
export interface Lease {
  readonly sourceId: number
  readonly token: string
}

/** Another process took the source for abandoned; ours must not publish into it any more. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError'
}

export type NewRow = Pick<Row, 'enterprise_id' | 'name' | 'table_name' | 'source'> & Partial<Row>

/**
 * One load at a time and source, marked with the process and the job that run it. A job that is run
 * again takes over from its own earlier run, which may be cut off rather than dead.
 */
export class Leases {
  readonly #pool: Pool
  readonly #knex: Knex
  readonly #presence: Presence
  /** Of ours, those whose marks could not be cleared: the database was away. */
  readonly #abandoned = new Set<string>()

  constructor(pool: Pool, knex: Knex, presence: Presence) {
    this.#pool = pool
    this.#knex = knex
    this.#presence = presence
  }

  /** Takes the table's name before anything is loaded: of two at once, one finds it taken. */
  async reserve(row: NewRow, jobUuid: string): Promise<Lease> {
    const token = randomUUID()
    const marked = { ...row, busy_token: token, busy_job: jobUuid }
    const sourceId = await this.#orAbandon(token, () => this.#insertTwice(marked, jobUuid))
    return { sourceId, token }
  }

  /** For a source that exists; null: for what is no job. */
  async take(sourceId: number, jobUuid: string | null): Promise<Lease> {
    const token = randomUUID()
    const { rowCount } = await this.#orAbandon(token, () =>
      this.#pool.query(
        `update sources set busy_by = $2, busy_token = $3, busy_job = $5
         where id = $1 and status = 'READY'
           and (busy_by is null or busy_job = $5 or ${isStale('$4')})`,
        [sourceId, this.#presence.processId, token, [...this.#abandoned], jobUuid],
      ),
    )
    if (rowCount !== 1) throw new SourceBusyException()
    return { sourceId, token }
  }

  /** In the transaction that publishes: the last moment to learn that the lease was lost. */
  async check(client: ClientBase, { sourceId, token }: Lease): Promise<void> {
    const { rowCount } = await client.query(
      'select from sources where id = $1 and busy_token = $2 for update',
      [sourceId, token],
    )
    if (rowCount !== 1) throw new LeaseLostError(`The lease of source ${sourceId} was lost`)
  }

  /** After a failure. A source that was never loaded goes; where the database is away, later. */
  async giveBack({ sourceId, token }: Lease): Promise<void> {
    try {
      await this.#pool.query(
        `with gone as (delete from sources where id = $1 and busy_token = $2 and status = 'LOADING')
         update sources set busy_by = null, busy_token = null, busy_job = null
         where id = $1 and busy_token = $2 and status <> 'LOADING'`,
        [sourceId, token],
      )
    } catch {
      this.#abandoned.add(token)
    }
  }

  /** Nobody knows whether it was published: if not, the sweep clears up behind it. */
  abandon({ token }: Lease): void {
    this.#abandoned.add(token)
  }

  /** Clears the marks of loads whose process died, and of ours that were abandoned. */
  async sweep(): Promise<void> {
    const abandoned = [...this.#abandoned]
    await this.#pool.query(`delete from sources where status = 'LOADING' and ${isStale('$1')}`, [
      abandoned,
    ])
    await this.#pool.query(
      `update sources set busy_by = null, busy_token = null, busy_job = null
       where busy_by is not null and ${isStale('$1')}`,
      [abandoned],
    )
    for (const token of abandoned) this.#abandoned.delete(token)
  }

  /** A mark may be there although its answer was lost; our own process would hold it for ever. */
  async #orAbandon<T>(token: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      this.#abandoned.add(token)
      throw error
    }
  }

  /** What holds the name may be what a killed process left behind, or this very job before. */
  async #insertTwice(row: NewRow, jobUuid: string): Promise<number> {
    const first = await this.#insert(row)
    if (first !== null) return first
    await this.sweep()
    await this.#pool.query(`delete from sources where status = 'LOADING' and busy_job = $1`, [
      jobUuid,
    ])
    const second = await this.#insert(row)
    if (second !== null) return second
    throw new SourceTableAlreadyExistsException(
      `The enterprise has a table «${row.table_name}» already`,
    )
  }

  async #insert(row: NewRow): Promise<number | null> {
    try {
      const { id } = await Row.query(this.#knex).insert({
        ...row,
        status: 'LOADING',
        busy_by: this.#presence.processId,
      })
      return id
    } catch (error) {
      const translated = translateDatabaseError(error)
      if (translated instanceof UniqueViolationError) return null
      throw error
    }
  }
}

const isStale = (abandoned: string): string =>
  `(busy_token = any (${abandoned}::uuid[]) or ${isDead('sources.busy_by')})`
