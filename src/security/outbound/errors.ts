import { type Message } from '../../../pipelines/index.ts'

/**
 * Why a remote application gave no usable answer. Messages contain neither the key, nor the content
 * of the answer, nor the address that a name resolved to, since users may see them.
 */
const OUTBOUND_PROBLEMS = [
  /** The name is unknown, or an address is neither public nor allowed. */
  'address-refused',
  /** The name cannot be looked up, no connection can be made, or a connection broke. */
  'unreachable',
  'too-slow',
  /** More bytes than allowed, or suspiciously dense compression. */
  'too-large',
  /** Not JSON, or disproportionate JSON. */
  'malformed',
  /** A redirect to another origin, in a circle, or without a target. */
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
