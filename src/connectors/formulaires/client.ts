import { type Clock, systemClock } from '../../time/clock.ts'
import { OutboundError } from '../../security/outbound/errors.ts'
import type { OutboundAnswer, OutboundHttp, OutboundRequest } from '../../security/outbound/http.ts'
import type { ConnectionAccess } from '../connector.ts'
import { ConnectorError } from '../errors.ts'
import { outboundFailure, refusalError, type Asked } from './answers.ts'
import { retryAfterSeconds } from './retry-after.ts'
import { withRetries, type RetryPolicy, type Verdict } from './retry.ts'

interface ClientRequest {
  /** Below the base address, with a leading slash. */
  readonly path: string
  readonly query?: Readonly<Record<string, string | number | undefined>>
  readonly asked: Asked
  readonly policy: RetryPolicy
  readonly signal: AbortSignal
}

interface ClientAnswer<T> {
  readonly value: T
  readonly bytes: number
}

interface ClientOptions {
  readonly http: OutboundHttp
  readonly random?: () => number
  readonly clock?: Clock
}

/** Thrown inside an attempt, so that the retry rule sees what the remote application asked for. */
class Refusal extends Error {
  readonly status: number
  readonly retryAfter: string | null

  constructor(status: number, retryAfter: string | null) {
    super(`status ${status}`)
    this.status = status
    this.retryAfter = retryAfter
  }
}

export function createFormulairesClient({
  http,
  random = Math.random,
  clock = systemClock,
}: ClientOptions) {
  const ask = async <T>(
    get: (request: OutboundRequest) => Promise<OutboundAnswer<T>>,
    access: ConnectionAccess,
    { path, query = {}, asked, policy, signal }: ClientRequest,
  ): Promise<ClientAnswer<T>> => {
    const url = new URL(access.baseUrl + path)
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, String(value))
    }
    const headers = { 'x-api-key': access.apiKey }
    const attempt = async () => {
      const answer = await get({ url, headers, signal })
      if (answer.kind === 'refusal') throw new Refusal(answer.status, answer.retryAfter)
      return answer
    }
    try {
      return await withRetries(attempt, { policy, signal, judge: judgeBy(policy), random, clock })
    } catch (error) {
      throw translate(error, asked)
    }
  }
  return {
    get: (access: ConnectionAccess, request: ClientRequest) => ask(http.getJson, access, request),
    /** Returns the JSON as it was received. */
    getBytes: (access: ConnectionAccess, request: ClientRequest) =>
      ask(http.getJsonBytes, access, request),
  }
}

/** Queries a forms application. Every failure is a ConnectorError. */
export type FormulairesClient = ReturnType<typeof createFormulairesClient>

function judgeBy(policy: RetryPolicy): (error: unknown) => Verdict {
  return (error) => {
    if (error instanceof Refusal && (error.status === 429 || error.status >= 500)) {
      return { kind: 'again', afterSeconds: retryAfterSeconds(error.retryAfter, Date.now()) }
    }
    const again =
      error instanceof OutboundError &&
      (error.problem === 'unreachable' || (error.problem === 'too-slow' && policy.retryTooSlow))
    return again ? { kind: 'again', afterSeconds: null } : { kind: 'give-up' }
  }
}

/** Any other error (a cancellation with its reason) is passed on unchanged. */
function translate(error: unknown, asked: Asked): unknown {
  if (error instanceof ConnectorError) return error
  if (error instanceof Refusal) return refusalError(error.status, error.retryAfter, asked)
  if (error instanceof OutboundError) return outboundFailure(error)
  return error
}
