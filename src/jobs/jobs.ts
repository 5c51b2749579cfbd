import type { ClientBase, Pool } from 'pg'

import { withTransaction } from '../db/transaction.ts'
import type { Actor } from '../domain/actor.ts'
import {
  JobAlreadyFinishedException,
  JobCancelledException,
  JobNotFoundException,
  problemDocument,
} from '../errors/index.ts'
import type { Releases } from '../processes/releases.ts'
import { type Job, type ListedJob, type JobStatus, listedJob } from '../resources/job.ts'
import type { Recording } from '../resources/alongside.ts'
import type { Page, PageRequest } from '../resources/page.ts'
import { type JobAccount, createPerforming, type JobRequest } from './run-job.ts'
import { createFollowing } from './follow-jobs.ts'
import type { JobRecords } from './job-records.ts'
import { kindNamed, type KindOfWork, type KindsOfWork } from './kind-of-work.ts'
import type { JobQueue } from './queue.ts'
import type { Owners } from './owners.ts'
import { newestFirst, offsetOf, pageOf, pageQuery, type PageRow } from '../db/page-query.ts'
import { queryUntilAborted } from '../db/until-aborted.ts'
import { selectionOf } from '../resources/resource.ts'
import { SCOPES } from '../scope.ts'

interface JobsParts<Inputs> {
  readonly pool: Pool
  readonly records: JobRecords
  readonly queue: JobQueue
  readonly owners: Owners
  readonly releases: Releases
  readonly account: JobAccount
  readonly kinds: KindsOfWork<Inputs>
}

/** Work that can take long, and the record kept of it. */
export function createJobs<Inputs>(parts: JobsParts<Inputs>) {
  const { pool, records, queue, kinds, account } = parts
  const follow = createFollowing(records)
  const cancelled = () => problemDocument(new JobCancelledException())

  async function show(actor: Actor, uuid: string): Promise<Job> {
    const found = await records.find(actor, uuid)
    if (!found) throw new JobNotFoundException()
    return found
  }

  async function admitted<Input>(
    work: KindOfWork<Input>,
    actor: Actor,
    input: Input,
  ): Promise<{ readonly stored: Input; readonly enterpriseId: number | null }> {
    try {
      const enterpriseId = (await work.admit?.(actor, input)) ?? null
      const stored = (await work.store?.(actor, input, enterpriseId)) ?? input
      return { stored, enterpriseId }
    } catch (error) {
      throw work.explain?.(error) ?? error
    }
  }

  return {
    perform: createPerforming(parts),

    /**
     * Leaves the work to any worker, except for what can be refused at once. The stored input must
     * survive as JSON. What `alongside` writes is committed together with the job, or not at all.
     */
    async enqueue<Kind extends keyof Inputs & string>(
      actor: Actor,
      kind: Kind,
      input: Inputs[Kind],
      {
        requestId = null,
        alongside,
      }: Pick<JobRequest, 'requestId'> & {
        readonly alongside?: (client: ClientBase, job: Job) => Promise<void>
      } = {},
    ): Promise<Job> {
      const { stored, enterpriseId } = await admitted(kinds[kind], actor, input)
      const about = (await kinds[kind].about?.(actor, input)) ?? null
      return withTransaction(pool, async (client) => {
        const job = await records.addQueued(client, {
          kind,
          ownerId: actor.id,
          enterpriseId,
          about,
          input: stored,
          requestId,
        })
        await alongside?.(client, job)
        await queue.send(client, job.uuid)
        return job
      })
    },

    show,

    /** Null if its record is no longer kept. */
    find: (actor: Actor, uuid: string): Promise<Job | null> => records.find(actor, uuid),

    /** Yields the job, then each change; see `follow-jobs.ts`. */
    async follow(
      actor: Actor,
      uuid: string,
      ended: AbortSignal,
    ): Promise<AsyncIterable<Job | null>> {
      return follow(await show(actor, uuid), ended)
    },

    list: (actor: Actor, query: JobQuery, signal: AbortSignal): Promise<Page<ListedJob>> =>
      listJobs(pool, actor, query, signal),

    async cancel(actor: Actor, uuid: string, record?: Recording): Promise<Job> {
      await show(actor, uuid)
      const error = cancelled()
      const asked = await withTransaction(pool, async (client) => {
        const found = await records.requestCancel(client, actor, uuid, error)
        if (found) await record?.(client)
        return found
      })
      if (!asked) throw new JobAlreadyFinishedException()
      const { job, input, ended } = asked
      if (job.status === 'CANCELLED') {
        account(ended, { ...ended, outcome: { status: 'CANCELLED', error } })
        // A running job cleans up after itself.
        await kindNamed(kinds, job.kind)?.discard?.(input)
      }
      return job
    },
  }
}

export type Jobs<Inputs> = ReturnType<typeof createJobs<Inputs>>

interface JobQuery extends PageRequest {
  readonly status?: JobStatus | undefined
  readonly kind?: string | undefined
  readonly about?: string | undefined
}

/** Those of a kind, with a status, about a thing. */
const CHOSEN = `
  ($4::text is null or jobs.status = $4) and ($5::text is null or jobs.kind = $5)
  and ($6::uuid is null or jobs.about_uuid = $6)`

const LIST = pageQuery({
  counted: `
    select count(*) as total from jobs where ${SCOPES.ownJobs.rows('jobs', '$1')} and ${CHOSEN}`,
  items: `
    select ${selectionOf(listedJob, 'jobs')} from jobs
    where ${SCOPES.ownJobs.rows('jobs', '$1')} and ${CHOSEN}
    order by ${newestFirst('jobs')} limit $2 offset $3`,
})

/** One's own jobs, without their results. */
async function listJobs(
  pool: Pool,
  actor: Actor,
  { status, kind, about, ...request }: JobQuery,
  signal: AbortSignal,
): Promise<Page<ListedJob>> {
  const values = [SCOPES.ownJobs.reach(actor), request.limit, offsetOf(request)]
  const query = { text: LIST, values: [...values, status, kind, about] }
  const { rows } = await queryUntilAborted<PageRow<ListedJob>>(pool, query, signal)
  return pageOf(rows)
}
