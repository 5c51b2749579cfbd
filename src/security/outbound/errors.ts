import { type Message } from '../../../pipelines/index.ts'

/**
 * Why a remote application gave no usable answer. Messages name neither the key, nor what was sent
 * back, nor the address that a name resolved to: they may be shown to whoever asked.
 */
const OUTBOUND_PROBLEMS = [
  /** The name is unknown, or the address, or one that the name resolves to, not public and not allowed. */
  'address-refused',
  /** No answer about the name, no connection, or a connection that broke. */
  'unreachable',
  'too-slow',
  /** More bytes, or a far denser compression, than an answer may have. */
  'too-large',
  /** Not JSON, or JSON out of all proportion. */
  'malformed',
  /** A redirect to another origin, in circles, or without a target. */
  'redirect-refused',
] as const
export type OutboundProblem = (typeof OUTBOUND_PROBLEMS)[number]

export class OutboundError extends Error {
  override readonly name = 'OutboundError'
  readonly problem: OutboundProblem
  /** For people; `message` is the same in English, for logs. */
  readonly text: Message

  constructor(problem: OutboundProblem, text: Message, options?: ErrorOptions) {
    super(String(text), options)
    this.problem = problem
    this.text = text
  }
}
