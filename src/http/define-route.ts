import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'

import type { ClientBase } from 'pg'
import type { Static, TObject, TSchema } from 'typebox'

import type { Language, StoredMessage } from '../../pipelines/index.ts'
import type { Access, Actor } from '../domain/actor.ts'
import type { AuditAction } from '../resources/audit-entry.ts'
import type { Alongside } from '../resources/alongside.ts'
import type { Holder } from '../domain/collections/holder.ts'
import type { Credential } from '../domain/auth/credential.ts'
import type { LongWork } from '../domain/long-work.ts'
import type { ProblemClass } from '../errors/index.ts'
import type { UploadLimits } from './body/multipart.ts'
import type { SentFile } from './body/read-file.ts'
import type { PlaceKind } from './places.ts'
import type { HttpServices } from './services.ts'

export const METHODS = ['get', 'post', 'patch', 'delete', 'put'] as const
type Method = (typeof METHODS)[number]

/**
 * One definition per endpoint, from which its types, its validation, its entry in the OpenAPI
 * document and its access rule are derived.
 */
export interface RouteSpec<
  A extends Access = Access,
  P extends TObject = TObject,
  Q extends TObject = TObject,
  B extends TSchema = TSchema,
> {
  readonly method: Method
  readonly path: string
  /** Enforced by `mount`, so no handler checks roles. */
  readonly access: A
  readonly tag: string
  readonly summary: string
  readonly description?: string
  readonly params?: P
  readonly query?: Q
  /** A JSON body, read and checked before the handler runs. */
  readonly body?: B
  /** False: a missing body counts as an empty one. */
  readonly bodyRequired?: boolean
  /** Media types that the handler itself reads from the stream, each with its schema. */
  readonly streams?: Readonly<Record<string, TSchema>>
  /** Request headers worth documenting. */
  readonly headers?: Readonly<Record<string, HeaderSpec>>
  readonly responses: Readonly<Record<number, ResponseSpec>>
  /** Refusals of this route; those that all routes share are added by the OpenAPI writer. */
  readonly problems?: readonly ProblemClass[]
  /** May take long: `Prefer: respond-async` answers 202 with a job of this kind. */
  readonly longRunning?: keyof LongWork
  /**
   * What the audit trail says of it, once it has succeeded. Absent: it changes nothing that people
   * would ask about.
   */
  readonly audit?: AuditAction
  /** The handler records all that it does: without a record, what it was asked for had been done before. */
  readonly recordsItself?: boolean
  /** The kind of place that the caller occupies until the answer is sent; see `shares.ts`. */
  readonly place?: PlaceKind
}

export interface ResponseSpec {
  readonly description: string
  /** Absent: no JSON body. */
  readonly schema?: TSchema
  /** Which examples of the schema this answer can be; by default, any of them. */
  readonly shows?: readonly string[]
  /** Replaces the schema's own examples. */
  readonly example?: unknown
  /** Answers that are not JSON, by media type: an example of the text, or null for bytes. */
  readonly files?: Readonly<Record<string, string | null>>
  readonly headers?: Readonly<Record<string, HeaderSpec>>
}

export interface HeaderSpec {
  readonly description: string
  /** The pattern that the header's value has to match. */
  readonly pattern?: string
  readonly example: string
}

/** A value as JSON, with every message in it as text. */
export type WriteJson = (value: unknown) => string

export interface RouteRequest<A extends Access, P, Q, B> {
  readonly params: P
  readonly query: Q
  readonly body: B
  readonly actor: A extends 'public' | 'holder' ? null : Actor
  readonly credential: A extends 'public' | 'holder' ? null : Credential
  /** Who has the link of a collection. */
  readonly holder: A extends 'holder' ? Holder : null
  readonly requestId: string
  /** The language of the answer. */
  readonly language: Language
  /** Puts one message into that language. */
  readonly say: (message: string | StoredMessage) => string
  /** The same for JSON, in bodies that are not written as a whole. */
  readonly writeJson: WriteJson
  /** Aborted when the client goes away, or when the service is stopping and cannot wait any longer. */
  readonly signal: AbortSignal
  /** Aborted as soon as the service is told to stop, for answers that would not end by themselves. */
  readonly stopping: AbortSignal
  /** The client's address, for rate limits. */
  readonly clientAddress: string
  /** The address under which the client reached the service, without a trailing slash. */
  readonly baseUrl: string
  /** The path of that address: a proxy may have the service below one. Empty, or begins with a slash. */
  readonly basePath: string
  /** Path and query as they were sent. */
  readonly url: string
  header(name: string): string | undefined
  /** The request itself, for routes that read a stream. */
  readonly incoming: IncomingMessage
  /** For routes that read a form from the stream. */
  readonly uploadLimits: UploadLimits
  /**
   * For routes that read a stream: reads the body as JSON, with a size limit, and registers it for
   * the idempotency check.
   */
  readJson(): Promise<unknown>
  /** Checks what a route has read itself; error pointers start at the root of the body. */
  check<S extends TSchema>(schema: S, value: unknown): Static<S>
  /** For routes that read a stream: the file of a form, or the body itself as a file. */
  readFile(headerFields: Readonly<Record<string, string>>): Promise<SentFile>
  /** For routes that read a stream: sets what represents the body in the idempotency check. */
  rememberFingerprint(fingerprint: string): void
  /** Null: the request came without an Idempotency-Key. */
  readonly key: KeyInUse | null
  /**
   * Writes what the request does into the audit trail, in the transaction that does it. Otherwise it
   * is written when the handler is done.
   */
  readonly record: RecordDone
}

/**
 * The Idempotency-Key of a request. It is recorded in the transaction that does what the request
 * asks for.
 */
export interface KeyInUse {
  /** Records that a job will produce the answer. */
  carryOut(client: ClientBase, jobUuid: string): Promise<void>
  /** `result` is what the handler returns once the transaction is committed. */
  answer(client: ClientBase, result: unknown): Promise<void>
}

/** What there is to say of what was done, beyond the request. */
export interface Done {
  /** The thing, where the path does not name it. */
  readonly thingUuid?: string | undefined
  readonly jobUuid?: string
  readonly outcome?: 'queued'
  /** Who it was, where the request came from nobody yet. */
  readonly actor?: Actor
}

/** `client`: the transaction that did it; null: there was none. */
export type RecordDone = (client: ClientBase | null, done?: Done) => Promise<void>

/**
 * Stores the answer to a request, and what it has done, in the transaction that creates what the
 * answer shows.
 */
export const answerWith =
  <Made>(
    { key, record }: Pick<RouteRequest<Access, unknown, unknown, unknown>, 'key' | 'record'>,
    show: (made: Made) => unknown,
    /** Absent: the answer has it. */
    uuidOf?: (made: Made) => string,
  ): Alongside<Made> =>
  async (client, made) => {
    const answer = show(made)
    await record(client, { thingUuid: uuidOf ? uuidOf(made) : uuidIn(answer) })
    await key?.answer(client, answer)
  }

/** Of the thing that an answer shows. */
export function uuidIn(answer: unknown): string | undefined {
  const body: unknown = answer instanceof Reply ? answer.body : answer
  return (body as { uuid?: string } | null)?.uuid
}

type HandlerFor<A extends Access, P extends TObject, Q extends TObject, B extends TSchema> = (
  request: RouteRequest<A, Static<P>, Static<Q>, Static<B>>,
  services: HttpServices,
) => Promise<unknown>

export interface Route {
  readonly spec: RouteSpec
  /** The status of the only success that the route declares. */
  readonly success: number
  readonly handle: (
    request: RouteRequest<Access, unknown, unknown, unknown>,
    services: HttpServices,
  ) => Promise<unknown>
  /**
   * Creates the body of a replay from what an `AnswerWithSecret` keeps; absent: the kept body is
   * used as it is.
   */
  readonly replay?: Replay | undefined
}

type Replay = (
  kept: unknown,
  request: { readonly actor: Actor },
  services: HttpServices,
) => Promise<unknown>

export function defineRoute<
  A extends Access,
  P extends TObject = TObject<Record<never, never>>,
  Q extends TObject = TObject<Record<never, never>>,
  B extends TSchema = TSchema,
>(spec: RouteSpec<A, P, Q, B>, handle: HandlerFor<A, P, Q, B>, replay?: Replay): Route {
  // The only place where a route's own types are given up: `mount` has validated what it passes.
  return {
    spec,
    success: successStatus(spec),
    handle: handle as unknown as Route['handle'],
    replay,
  }
}

function successStatus({ method, path, responses }: RouteSpec): number {
  const success = Object.keys(responses).find((status) => status.startsWith('2'))
  if (success === undefined) throw new Error(`${method} ${path} declares no success`)
  return Number(success)
}

/** An answer that is more than a JSON body with the route's success status. */
export class Reply {
  readonly status: number
  readonly body: unknown
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}) {
    this.status = status
    this.body = body
    this.headers = headers
  }
}

/** Wraps what a handler returned: a bare value is the body of the route's success. */
export const replyOf = ({ success }: Route, result: unknown): Reply =>
  result instanceof Reply ? result : new Reply(success, result)

/** An answer with a token or a signature in it, of which only the rest may be stored. */
export class AnswerWithSecret extends Reply {
  /** The body of a replay, or what the route creates it from. */
  readonly kept: unknown

  constructor(
    status: number,
    body: unknown,
    kept: unknown,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(status, body, headers)
    this.kept = kept
  }
}

/** JSON that is already written, so that every digit of a number survives. */
export class JsonText {
  readonly text: string | Readable

  constructor(text: string | Readable) {
    this.text = text
  }
}
