import { defineMessages, type Messages, type Message } from '../../pipelines/index.ts'
import type { CellProblem, ProblemDocument, ProblemMembers } from '../resources/problem.ts'

/** A fault of one field. */
export interface FieldError {
  readonly pointer: string
  readonly message: Message
}

/** A cell that could not be accepted. */
interface CellFault extends Omit<CellProblem, 'message'> {
  readonly message: Message
}

export interface ProblemExtras {
  readonly errors?: readonly (FieldError | CellFault)[]
  /** Additional members of the problem document. */
  readonly members?: ProblemMembers
  readonly headers?: Readonly<Record<string, string>>
  readonly cause?: unknown
}

/** A refusal of the service. One middleware renders it as RFC 9457. */
export abstract class Problem extends Error {
  abstract readonly code: string
  abstract readonly status: number
  abstract readonly title: Message
  /** For people; `message` is the same in English, for logs. */
  readonly detail: Message
  readonly extras: ProblemExtras

  constructor(detail: Message, extras: ProblemExtras = {}) {
    super(String(detail), extras.cause === undefined ? undefined : { cause: extras.cause })
    this.detail = detail
    this.extras = extras
  }
}

export interface ProblemClass {
  readonly code: string
  readonly status: number
  readonly title: Message
  readonly messages: Messages
  /** What the user can do about it. */
  readonly remedy: string
  new (detail?: Message, extras?: ProblemExtras): Problem
}

/** Creates a problem class; its name is its code. */
export function defineProblem(
  code: string,
  status: number,
  inWords: Title,
  remedy: string,
): ProblemClass {
  const messages = defineMessages('problem', { [code]: inWords })
  const title = messages[code]!()
  return class extends Problem {
    static readonly code = code
    static readonly status = status
    static readonly title = title
    static readonly messages = messages
    static readonly remedy = remedy
    override readonly name = code
    readonly code = code
    readonly status = status
    readonly title = title

    constructor(detail: Message = title, extras?: ProblemExtras) {
      super(detail, extras)
    }
  }
}

interface Title {
  readonly en: string
  readonly fr: string
}

/** Copies a problem with more members; the original is its cause. */
export function withMembers(problem: Problem, members: ProblemExtras['members']): Problem {
  const again = problem.constructor as ProblemClass
  const { extras } = problem
  return new again(problem.detail, {
    ...extras,
    members: { ...extras.members, ...members },
    cause: problem,
  })
}

export function problemDocument(problem: Problem, requestId?: string): ProblemDocument {
  return {
    type: `urn:administration-service:problem:${problem.code}`,
    title: problem.title,
    status: problem.status,
    code: problem.code,
    detail: problem.detail,
    ...(problem.extras.errors && { errors: problem.extras.errors }),
    ...problem.extras.members,
    ...(requestId !== undefined && { requestId }),
  }
}
