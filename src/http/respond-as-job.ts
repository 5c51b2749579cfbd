import type { AccountAccess, Actor } from '../domain/actor.ts'
import type { Alongside } from '../resources/alongside.ts'
import type { LongWork } from '../domain/long-work.ts'
import { IdempotencyAnswerLostException, IdempotencyKeyInUseException } from '../errors/index.ts'
import { isFinished } from '../jobs/job.ts'
import type { Job } from '../resources/job.ts'
import { Reply, type RouteRequest } from './define-route.ts'
import { presentJob } from './presenters/present-job.ts'
import type { HttpServices } from './services.ts'

/** Also matches a string that is never closed, up to the end. */
const QUOTED = /"(?:[^"\\]|\\.?)*"?/g

/**
 * RFC 7240: looks for `respond-async` among other preferences, in any case; an empty value counts
 * as none.
 */
export function prefersAsync(prefer: string | undefined): boolean {
  return (prefer ?? '')
    .replaceAll(QUOTED, '')
    .split(',')
    .some((item) => /^\s*respond-async\s*=?\s*(;|$)/i.test(item))
}

type AnyRequest = RouteRequest<AccountAccess, unknown, unknown, unknown>

/**
 * Answers a long call: at once with a job if the caller prefers that, otherwise when it is done.
 * What `alongside` writes belongs to the queued job.
 */
export async function respondAsJob<Kind extends keyof LongWork>(
  { actor, header, signal, key, requestId, record, basePath }: AnyRequest,
  { jobs }: HttpServices,
  kind: Kind,
  input: LongWork[Kind],
  alongside?: Alongside<string>,
): Promise<unknown> {
  if (!prefersAsync(header('prefer'))) {
    return jobs.perform(actor, kind, input, signal, {
      requestId,
      async alongside(client, done) {
        await key?.carryOut(client, done.jobUuid)
        await record(client, done)
      },
    })
  }
  const queued = await jobs.enqueue(actor, kind, input, {
    requestId,
    async alongside(client, job) {
      await alongside?.(client, job.uuid)
      await record(client, { jobUuid: job.uuid, outcome: 'queued' })
      await key?.answer(client, replyOfQueued(job, basePath))
    },
  })
  return replyOfQueued(queued, basePath)
}

const replyOfQueued = (queued: Job, basePath: string) =>
  new Reply(202, presentJob(queued), {
    location: `${basePath}/jobs/${queued.uuid}`,
    'preference-applied': 'respond-async',
  })

/** The answer that the call of a finished job was given, or would have been given. */
export async function answerOfJob(
  actor: Actor,
  { jobs }: Pick<HttpServices, 'jobs'>,
  uuid: string,
): Promise<unknown> {
  const job = await jobs.find(actor, uuid)
  if (job !== null && !isFinished(job)) throw new IdempotencyKeyInUseException()
  const result = job?.result ?? null
  if (result === null) throw new IdempotencyAnswerLostException()
  return result
}
