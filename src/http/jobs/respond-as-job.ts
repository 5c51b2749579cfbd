import type { Actor } from '../../domain/actor.ts'
import type { Alongside } from '../../jobs/jobs.ts'
import { type Access, Reply, type RouteRequest } from '../define-route.ts'
import { presentJob } from '../presenters/present-job.ts'
import type { HttpServices } from '../services.ts'
import type { JobDefinition } from './define-job.ts'

/** Also one that is never closed, up to the end. */
const QUOTED = /"(?:[^"\\]|\\.?)*"?/g

/** RFC 7240: `respond-async`, among other preferences, in any case, an empty value being none. */
export function prefersAsync(prefer: string | undefined): boolean {
  return (prefer ?? '')
    .replaceAll(QUOTED, '')
    .split(',')
    .some((item) => /^\s*respond-async\s*=?\s*(;|$)/i.test(item))
}

type AnyRequest = RouteRequest<Exclude<Access, 'public'>, unknown, unknown, unknown>

/**
 * Answers a long call: at once with a job when the caller prefers that, else when it is done.
 * `toStore` turns what only lives in this request into what a worker can start from; what
 * `alongside` records belongs to the queued job.
 */
export async function respondAsJob<Input>(
  request: AnyRequest,
  services: HttpServices,
  job: JobDefinition<Input>,
  input: Input,
  toStore: (input: Input, actor: Actor) => Promise<Input> = async (given) => given,
  alongside?: Alongside,
): Promise<unknown> {
  const { actor } = request
  if (prefersAsync(request.header('prefer'))) {
    const stored = await toStore(input, actor)
    const queued = await services.jobs.enqueue(actor, job.kind, stored, alongside)
    return new Reply(202, presentJob(queued), {
      location: `/jobs/${queued.uuid}`,
      'preference-applied': 'respond-async',
    })
  }
  return services.jobs.perform(actor, job.kind, request.signal, (context) =>
    job.run(input, actor, context, services),
  )
}
