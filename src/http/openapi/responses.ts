import * as problems from '../../errors/index.ts'
import type { ProblemClass } from '../../errors/index.ts'
import type { ResponseSpec, RouteSpec } from '../define-route.ts'
import { jobSchema, queuedJob } from '../presenters/present-job.ts'
import type { Components, Json } from './components.ts'
import { QUEUED_HEADERS, REFUSAL_HEADERS, responseHeaders } from './headers.ts'
import { problemExample } from './problem-examples.ts'
import { problemSchema } from '../../resources/problem.ts'

/**
 * All answers of an operation by status: those that it declares, and those that any such operation
 * can give.
 */
export function operationResponses(spec: RouteSpec, components: Components): Json {
  const declared = Object.entries(spec.responses).map(([status, response]) => [
    status,
    success(response, components),
  ])
  return {
    ...(Object.fromEntries(declared) as Json),
    ...(spec.longRunning && { 202: queued(spec.longRunning, components) }),
    ...refusals(spec, components),
  }
}

function success(response: ResponseSpec, components: Components): Json {
  const { description, schema, files = {}, headers } = response
  const content = {
    ...(schema && {
      'application/json': { schema: components.refer(schema), ...shown(response, components) },
    }),
    ...Object.fromEntries(Object.entries(files).map(([type, text]) => [type, file(text)])),
  }
  return {
    description,
    ...responseHeaders(headers, components),
    ...(Object.keys(content).length > 0 && { content }),
  }
}

function shown({ schema, shows, example }: ResponseSpec, components: Components): Json {
  if (example !== undefined || !schema) return { example }
  const all = components.referExamples(schema)
  const absent = shows?.find((name) => !(name in all))
  if (absent !== undefined) throw new Error(`There is no example ${absent} to show`)
  const chosen = Object.entries(all).filter(([name]) => shows?.includes(name) ?? true)
  return { examples: Object.fromEntries(chosen) }
}

const file = (text: string | null): Json =>
  text === null
    ? { schema: { type: 'string', format: 'binary' } }
    : { schema: { type: 'string' }, example: text }

function queued(kind: string, components: Components): Json {
  return {
    description: 'The job that does it, with `Prefer: respond-async`',
    ...responseHeaders(QUEUED_HEADERS, components),
    content: {
      'application/json': {
        schema: components.refer(jobSchema),
        examples: { queued: components.referExample(`Job.queued.${kind}`, queuedJob(kind)) },
      },
    },
  }
}

/** Refusals by status, each with its possible codes and examples. */
function refusals(spec: RouteSpec, components: Components): Json {
  const byStatus = new Map<number, ProblemClass[]>()
  for (const problem of new Set([...sharedProblems(spec), ...(spec.problems ?? [])])) {
    byStatus.set(problem.status, [...(byStatus.get(problem.status) ?? []), problem])
  }
  return Object.fromEntries(
    [...byStatus].map(([status, list]) => {
      const refusal = problemResponse(status, list, components)
      // Refusals that many operations share are written once.
      const [only, ...others] = list
      return [status, others.length > 0 ? refusal : components.referResponse(only!.code, refusal)]
    }),
  )
}

function problemResponse(
  status: number,
  list: readonly ProblemClass[],
  components: Components,
): Json {
  const examples = list.map(({ code }) => [
    code,
    components.referExample(code, problemExample(code)),
  ])
  return {
    description: list.map(({ code, title }) => `\`${code}\`: ${title}`).join('\n\n'),
    ...responseHeaders(REFUSAL_HEADERS[status], components),
    content: {
      'application/problem+json': {
        schema: components.refer(problemSchema),
        examples: Object.fromEntries(examples) as Json,
      },
    },
  }
}

function sharedProblems(spec: RouteSpec): ProblemClass[] {
  const { access, method, longRunning } = spec
  const isOfAccounts = access !== 'public' && access !== 'holder'
  return [
    problems.ValidationException,
    problems.HeadersTooLargeException,
    ...bodyProblems(spec),
    ...(access === 'holder'
      ? [problems.LinkNotValidException, problems.TooManyRequestsException]
      : []),
    ...(isOfAccounts ? [problems.UnauthorizedException] : []),
    ...(isOfAccounts && access !== 'user' ? [problems.ForbiddenException] : []),
    ...(method === 'post' && isOfAccounts
      ? [problems.IdempotencyKeyInUseException, problems.IdempotencyKeyReusedException]
      : []),
    ...(longRunning ? [problems.JobCancelledException, problems.RightsLostException] : []),
    ...(longRunning && method === 'post' ? [problems.IdempotencyAnswerLostException] : []),
    ...(spec.place ? [problems.ShareExceededException] : []),
    problems.InternalServerErrorException,
    problems.ServiceUnavailableException,
  ]
}

function bodyProblems({ body, streams }: RouteSpec): ProblemClass[] {
  if (!body && !streams) return []
  const types = Object.keys(streams ?? {})
  const anyType = types.includes('application/octet-stream')
  const structured = body !== undefined || types.some((type) => type !== 'application/octet-stream')
  return [
    problems.RequestTimeoutException,
    ...(structured ? [problems.MalformedBodyException, problems.PayloadTooLargeException] : []),
    // Anything that is not a form is taken as the bytes of a file.
    ...(anyType ? [] : [problems.UnsupportedMediaTypeException]),
  ]
}
