import type { Message } from '../../pipelines/index.ts'
import type { ResourceType } from './connector.ts'

/**
 * Why a connection gave no data, in a form that callers can act on. Nothing here contains a key,
 * the body of an answer or an internal address.
 */
export type ConnectorProblem =
  /** The remote application refused the key. */
  | { readonly kind: 'unauthorized' }
  | { readonly kind: 'not-found'; readonly resource: ResourceType }
  /** It asks for a longer wait than we accept. */
  | { readonly kind: 'busy'; readonly retryAfterSeconds: number }
  | { readonly kind: 'too-slow' }
  | { readonly kind: 'failed'; readonly reason: FailureReason }
  | {
      readonly kind: 'not-supported'
      readonly connectionType: string
      readonly resource: ResourceType
    }

const FAILURE_REASONS = [
  /** 403, or a status that the interface does not know. */
  'refused',
  'unreachable',
  /** The address is not public and not allowed. */
  'address-refused',
  'redirect-refused',
  /** 5xx. */
  'server-error',
  /** Not JSON, or not of the documented shape. */
  'malformed',
  /** More bytes, pages or rows than a load may have. */
  'too-large',
  /** Pages that contradict each other: a cursor twice, a total that does not add up. */
  'inconsistent',
] as const
export type FailureReason = (typeof FAILURE_REASONS)[number]

type ConnectorProblemCode =
  | 'ApiConnectionUnauthorizedException'
  | 'FormNotFoundException'
  | 'CardNotFoundException'
  | 'RemoteApplicationBusyException'
  | 'RemoteApplicationTimeoutException'
  | 'RemoteApplicationException'
  | 'ApiResourceTypeNotSupportedException'

export class ConnectorError extends Error {
  override readonly name = 'ConnectorError'
  readonly problem: ConnectorProblem
  /** What happened, for people; `message` is the same in English, for logs. */
  readonly text: Message

  constructor(problem: ConnectorProblem, text: Message, options?: ErrorOptions) {
    super(String(text), options)
    this.problem = problem
    this.text = text
  }

  /** The stable name of the problem in the API. */
  get code(): ConnectorProblemCode {
    return codeOf(this.problem)
  }
}

/** A shorthand for the many ways in which a remote application can fail. */
export function remoteFailure(
  reason: FailureReason,
  text: Message,
  options?: ErrorOptions,
): ConnectorError {
  return new ConnectorError({ kind: 'failed', reason }, text, options)
}

const CODES = {
  unauthorized: 'ApiConnectionUnauthorizedException',
  busy: 'RemoteApplicationBusyException',
  'too-slow': 'RemoteApplicationTimeoutException',
  failed: 'RemoteApplicationException',
  'not-supported': 'ApiResourceTypeNotSupportedException',
} as const satisfies Record<Exclude<ConnectorProblem['kind'], 'not-found'>, ConnectorProblemCode>

function codeOf(problem: ConnectorProblem): ConnectorProblemCode {
  if (problem.kind !== 'not-found') return CODES[problem.kind]
  return problem.resource === 'form' ? 'FormNotFoundException' : 'CardNotFoundException'
}
