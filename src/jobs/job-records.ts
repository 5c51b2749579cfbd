import { randomUUID } from 'node:crypto'

import type { ClientBase, Pool } from 'pg'

import type { Queries } from '../db/in-turn.ts'
import type { Actor } from '../domain/actor.ts'
import { LOCKS, lockUntilCommit } from '../db/locks.ts'
import { isDead, type Presence } from '../processes/presence.ts'
import { type AwayPart, type Job, job, type JobProgress, type Subject } from '../resources/job.ts'
import { ENDED, type EndedJob, type EndedRow, toEndedJob } from './ended-job.ts'
import type { ProblemDocument } from '../resources/problem.ts'
import { selectionOf } from '../resources/resource.ts'
import { SCOPES } from '../scope.ts'
import { enterpriseShare } from '../shares.ts'

const JOB = selectionOf(job, 'jobs')

const OWNERS = 'users owners on owners.id = jobs.owner_id'

/**
 * The next job: the oldest of the enterprise with the fewest running jobs or, if several have
 * equally few, of the one whose last turn was longest ago. So an enterprise that queues hundreds
 * does not delay one that queues a single job.
 */
const NEXT_IN_TURN = `
  with waiting as (
    select ${enterpriseShare('owners')} as share, min(jobs.id) as id
    from jobs join ${OWNERS} where jobs.status = 'QUEUED' and jobs.due_at <= now()
    group by 1),
  running as (
    select ${enterpriseShare('owners')} as share, count(*) as jobs
    from jobs join ${OWNERS} where jobs.status = 'RUNNING' and jobs.queued group by 1)
  select next.uuid, waiting.share
  from waiting join jobs next using (id)
  left join running using (share)
  left join job_turns turns on turns.enterprise_share = waiting.share
  order by coalesce(running.jobs, 0), turns.taken_at nulls first, waiting.id
  limit 1`

const TAKE_TURN = `
  insert into job_turns (enterprise_share, taken_at) values ($1, clock_timestamp())
  on conflict (enterprise_share) do update set taken_at = excluded.taken_at`

const LONGEST_DELAY_SECONDS = 60

/** A job whose workers died this often is not tried again, since it may be what kills them. */
const MOST_ATTEMPTS = 5

/** Nobody runs the job any more, and its result is not published. */
const ORPHANED = `status = 'RUNNING' and not sealed and ${isDead('jobs.process_id')}`

export interface Failure {
  readonly status: 'FAILED' | 'CANCELLED'
  readonly error: ProblemDocument
}
export type JobOutcome = { readonly status: 'SUCCEEDED'; readonly result: unknown } | Failure

/** One run of a job. Its number keeps out a worker that was believed dead. */
export interface JobRun {
  readonly uuid: string
  readonly attempt: number
}

/** Whether the run may still publish its result. */
export type RunState = 'own' | 'cancelled' | 'lost'

/** The first run of a job that is not queued; it is numbered before the job is recorded. */
export const firstRun = (): JobRun => ({ uuid: randomUUID(), attempt: 1 })

export type SeenJob = Pick<Job, 'uuid' | 'version'>

export interface JobNews {
  /** The jobs that changed, in their present state. */
  readonly changed: readonly Job[]
  /** The uuids of jobs whose owner has been disabled. */
  readonly closed: readonly string[]
}

interface NewJob {
  readonly kind: string
  readonly ownerId: number
  /** The enterprise whose things the work changes; null: that of no one in particular. */
  readonly enterpriseId: number | null
  /** Null: of nothing that has a name. */
  readonly about: Subject | null
  readonly input: unknown
  /** The request that has asked for it; null: none did. */
  readonly requestId: string | null
}

export interface ClaimedJob extends JobRun, Omit<NewJob, 'about'> {}

/**
 * The table `jobs`. Every write names the status that it starts from, so that only one of several
 * competing writes takes effect.
 */
export class JobRecords {
  readonly #pool: Pool
  readonly #presence: Presence

  constructor(pool: Pool, presence: Presence) {
    this.#pool = pool
    this.#presence = presence
  }

  async addRunning(
    run: JobRun,
    { kind, ownerId, requestId, about }: Omit<NewJob, 'enterpriseId' | 'input'>,
  ): Promise<void> {
    await this.#pool.query(
      `insert into jobs (uuid, attempt, kind, owner_id, queued, status, started_at, process_id,
                         request_id, about_uuid, about_name)
       values ($1, $2, $3, $4, false, 'RUNNING', now(), $5, $6,
               ($7::json ->> 'uuid')::uuid, $7::json ->> 'name')`,
      [run.uuid, run.attempt, kind, ownerId, this.#presence.processId, requestId, about],
    )
  }

  async addQueued(
    client: ClientBase,
    { kind, ownerId, enterpriseId, input, requestId, about }: NewJob,
  ): Promise<Job> {
    const { rows } = await client.query<Job>(
      `insert into jobs (kind, owner_id, enterprise_id, queued, status, input, request_id,
                         about_uuid, about_name)
       values ($1, $2, $3, true, 'QUEUED', $4, $5,
               ($6::json ->> 'uuid')::uuid, $6::json ->> 'name') returning ${JOB}`,
      [kind, ownerId, enterpriseId, JSON.stringify(input), requestId, about],
    )
    return rows[0]!
  }

  /** Chooses the job whose turn it is, in the transaction that claims it. Null: no job waits. */
  async chooseNext(client: ClientBase): Promise<string | null> {
    await client.query(lockUntilCommit(LOCKS.nextJob))
    const { rows } = await client.query<{ uuid: string; share: number }>(NEXT_IN_TURN)
    const [next] = rows
    if (!next) return null
    await client.query(TAKE_TURN, [next.share])
    return next.uuid
  }

  /** Takes a queued job; null if it was cancelled or another worker has it. */
  async claim(client: Queries, uuid: string): Promise<ClaimedJob | null> {
    const { rows } = await client.query<{
      kind: string
      owner_id: number
      enterprise_id: number | null
      input: unknown
      attempt: number
      request_id: string | null
    }>(
      `update jobs set status = 'RUNNING', attempt = attempt + 1, version = version + 1,
              sealed = false, started_at = coalesce(started_at, now()), process_id = $2
       where uuid = $1 and status = 'QUEUED'
       returning kind, owner_id, enterprise_id, input, attempt, request_id`,
      [uuid, this.#presence.processId],
    )
    const [row] = rows
    if (!row) return null
    const { kind, owner_id: ownerId, enterprise_id: enterpriseId, input, attempt } = row
    return { uuid, attempt, kind, ownerId, enterpriseId, input, requestId: row.request_id }
  }

  /** Records the latest progress, if any, and says whether to go on. */
  async report(run: JobRun, progress: JobProgress | null): Promise<'go-on' | 'cancel' | 'lost'> {
    const { rows } = await (progress === null
      ? this.#pool.query<{ cancel_requested: boolean }>(
          `select cancel_requested from jobs
           where uuid = $1 and attempt = $2 and status = 'RUNNING'`,
          [run.uuid, run.attempt],
        )
      : this.#pool.query<{ cancel_requested: boolean }>(
          `update jobs set version = version + 1, phase = $3, bytes_read = $4, bytes_total = $5,
                  rows = $6, rejected = $7
           where uuid = $1 and attempt = $2 and status = 'RUNNING' returning cancel_requested`,
          [
            run.uuid,
            run.attempt,
            progress.phase,
            progress.bytesRead,
            progress.bytesTotal,
            progress.rows,
            progress.rejected,
          ],
        ))
    if (!rows[0]) return 'lost'
    return rows[0].cancel_requested ? 'cancel' : 'go-on'
  }

  /** Runs in the transaction that publishes the result; until its end nobody can cancel the job. */
  async seal(client: ClientBase, run: JobRun): Promise<RunState> {
    const { rowCount } = await client.query(
      `update jobs set sealed = true
       where uuid = $1 and attempt = $2 and status = 'RUNNING' and not cancel_requested
         and not ${isDead('jobs.process_id')}`,
      [run.uuid, run.attempt],
    )
    if (rowCount === 1) return 'own'
    const { rows } = await client.query<{ cancel_requested: boolean }>(
      `select cancel_requested from jobs where uuid = $1 and attempt = $2 and status = 'RUNNING'`,
      [run.uuid, run.attempt],
    )
    return rows[0]?.cancel_requested === true ? 'cancelled' : 'lost'
  }

  /**
   * False: another run has taken over. Work that came to its end has succeeded, even if a
   * cancellation came too late to stop it; so has work that failed or was interrupted after it had
   * published.
   */
  async finish(run: JobRun, progress: JobProgress, outcome: JobOutcome): Promise<boolean> {
    const { phase, bytesRead, bytesTotal, rows, rejected } = progress
    const succeeded = outcome.status === 'SUCCEEDED'
    const { rowCount } = await this.#pool.query(
      `update jobs set status = case when sealed then 'SUCCEEDED' else $3 end, result = $4,
              error = case when not sealed then $5::jsonb end, phase = $6, bytes_read = $7,
              bytes_total = $8, rows = $9, rejected = $10, input = null, version = version + 1,
              about_uuid = case when about_name is null then null
                           else coalesce(about_uuid, $11::uuid) end,
              finished_at = now()
       where uuid = $1 and attempt = $2 and status = 'RUNNING'`,
      [
        run.uuid,
        run.attempt,
        outcome.status,
        succeeded ? JSON.stringify(outcome.result ?? null) : null,
        succeeded ? null : JSON.stringify(outcome.error),
        phase,
        bytesRead,
        bytesTotal,
        rows,
        rejected,
        succeeded ? madeBy(outcome.result) : null,
      ],
    )
    return rowCount === 1
  }

  /**
   * Puts a run back into the queue because the process stops or the database went away. A run that
   * has published is not repeated.
   */
  async handBack(client: ClientBase, run: JobRun): Promise<boolean> {
    const { rowCount } = await client.query(
      `update jobs set status = 'QUEUED', waiting_for = null, version = version + 1
       where uuid = $1 and attempt = $2 and status = 'RUNNING' and queued and not sealed`,
      [run.uuid, run.attempt],
    )
    return rowCount === 1
  }

  /**
   * Queues a run again because something is unavailable, doubling the delay each time, and returns
   * the delay in seconds; null if it has waited long enough, belongs to another run, or has
   * published.
   */
  async wait(
    client: ClientBase,
    run: JobRun,
    waitingFor: AwayPart,
    limitMs: number,
  ): Promise<number | null> {
    const { rows } = await client.query<{ seconds: number }>(
      `update jobs set status = 'QUEUED', waits = waits + 1, waiting_for = $3,
              due_at = now() + make_interval(secs => least(2 ^ waits, ${LONGEST_DELAY_SECONDS})),
              waiting_since = coalesce(waiting_since, now()), version = version + 1
       where uuid = $1 and attempt = $2 and status = 'RUNNING' and queued and not sealed
         and coalesce(waiting_since, now()) >= now() - make_interval(secs => $4::float8 / 1000)
       returning extract(epoch from due_at - now())::integer as seconds`,
      [run.uuid, run.attempt, waitingFor, limitMs],
    )
    return rows[0]?.seconds ?? null
  }

  /** Settles a claim whose answer was lost: if it took effect, the run is returned before it begins. */
  async disclaim(client: ClientBase, uuid: string): Promise<boolean> {
    const { rowCount } = await client.query(
      `update jobs set status = 'QUEUED', version = version + 1
       where uuid = $1 and status = 'RUNNING' and queued and not sealed and process_id = $2`,
      [uuid, this.#presence.processId],
    )
    return rowCount === 1
  }

  /**
   * Jobs whose process died after publishing and before recording it: they count as done, whatever
   * else is missing.
   */
  async closeSealed(): Promise<EndedJob[]> {
    const { rows } = await this.#pool.query<EndedRow>(
      `update jobs set status = 'SUCCEEDED', input = null, version = version + 1, finished_at = now()
       where status = 'RUNNING' and sealed and ${isDead('jobs.process_id')} returning ${ENDED}`,
    )
    return rows.map(toEndedJob)
  }

  /** Puts queued jobs back whose worker died. */
  async takeBackOrphaned(client: ClientBase): Promise<string[]> {
    const { rows } = await client.query<{ uuid: string }>(
      `update jobs set status = 'QUEUED', version = version + 1
       where id in (select id from jobs
                    where ${ORPHANED} and queued and attempt < ${MOST_ATTEMPTS} + waits
                    for update skip locked)
       returning uuid`,
    )
    return rows.map(({ uuid }) => uuid)
  }

  /** Jobs that have been queued for at least this long, oldest first. */
  async longQueued(queuedMs: number, limit: number): Promise<string[]> {
    const { rows } = await this.#pool.query<{ uuid: string }>(
      `select uuid from jobs where status = 'QUEUED'
         and created_at < now() - make_interval(secs => $1::float8 / 1000)
       order by id limit $2`,
      [queuedMs, limit],
    )
    return rows.map(({ uuid }) => uuid)
  }

  /** Fails jobs that ran in a request of a dead process, and jobs that killed every worker. */
  async failOrphaned(error: ProblemDocument): Promise<EndedJob[]> {
    const { rows } = await this.#pool.query<EndedRow>(
      `update jobs set status = 'FAILED', error = $1, version = version + 1, finished_at = now()
       where ${ORPHANED} and (not queued or attempt >= ${MOST_ATTEMPTS} + waits) returning ${ENDED}`,
      [JSON.stringify(error)],
    )
    return rows.map(toEndedJob)
  }

  /**
   * Tells a running job to stop, or removes a queued one, and returns its input; null if it has
   * finished, or has published and is about to finish.
   */
  async requestCancel(
    client: ClientBase,
    actor: Actor,
    uuid: string,
    error: ProblemDocument,
  ): Promise<{ job: Job; input: unknown; ended: EndedJob } | null> {
    const { rows } = await client.query<Job & { input: unknown; ended: EndedRow }>(
      `update jobs set cancel_requested = true, version = version + 1,
              status = case status when 'QUEUED' then 'CANCELLED' else status end,
              error = case status when 'QUEUED' then $2::jsonb end,
              finished_at = case status when 'QUEUED' then now() end
       where uuid = $1 and ${SCOPES.jobs.rows('jobs', '$3')}
         and (status = 'QUEUED' or status = 'RUNNING' and not sealed)
       returning ${JOB}, jobs.input, (select to_json(told) from (select ${ENDED}) told) as ended`,
      [uuid, JSON.stringify(error), SCOPES.jobs.reach(actor)],
    )
    const [row] = rows
    return row ? { job: row, input: row.input, ended: toEndedJob(row.ended) } : null
  }

  async find(actor: Actor, uuid: string): Promise<Job | null> {
    const { rows } = await this.#pool.query<Job>(
      `select ${JOB} from jobs where uuid = $1 and ${SCOPES.jobs.rows('jobs', '$2')}`,
      [uuid, SCOPES.jobs.reach(actor)],
    )
    return rows[0] ?? null
  }

  /** What has changed since. Only owners can follow their jobs, and only while they have access. */
  async newsSince(seen: readonly SeenJob[]): Promise<JobNews> {
    const { rows } = await this.#pool.query<Job & { isClosed: boolean }>(
      `select ${JOB}, owners.disabled_at is not null as "isClosed"
       from unnest($1::uuid[], $2::bigint[]) as seen (uuid, version)
       join jobs on jobs.uuid = seen.uuid join ${OWNERS}
       where jobs.version <> seen.version or owners.disabled_at is not null`,
      [seen.map(({ uuid }) => uuid), seen.map(({ version }) => version)],
    )
    const told = rows.map(({ isClosed, ...changed }) => ({ isClosed, changed }))
    return {
      changed: told.filter(({ isClosed }) => !isClosed).map(({ changed }) => changed),
      closed: told.filter(({ isClosed }) => isClosed).map(({ changed }) => changed.uuid),
    }
  }
}

/** The thing that a job was about before there was one. */
function madeBy(result: unknown): string | null {
  const made = result as { readonly uuid?: unknown } | null
  return typeof made?.uuid === 'string' ? made.uuid : null
}
