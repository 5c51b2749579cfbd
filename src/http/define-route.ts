import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'

import type { ClientBase } from 'pg'
import type { Static, TObject, TSchema } from 'typebox'

import type { Language, StoredMessage } from '../../pipelines/index.ts'
import type { Alongside } from '../resources/alongside.ts'
import type { Actor } from '../domain/actor.ts'
import type { Credential } from '../domain/auth/credential.ts'
import type { LongWork } from '../domain/long-work.ts'
import type { ProblemClass } from '../errors/index.ts'
import type { UploadLimits } from './body/multipart.ts'
import type { SentFile } from './body/read-file.ts'
import type { PlaceKind } from './places.ts'
import type { HttpServices } from './services.ts'

/** Who may call. Declared here and enforced by `mount`; no handler asks for a role. */
const ACCESS = ['public', 'user', 'folder-tree', 'admin', 'super-admin'] as const
export type Access = (typeof ACCESS)[number]

export const METHODS = ['get', 'post', 'patch', 'delete', 'put'] as const
type Method = (typeof METHODS)[number]

/**
 * One definition per endpoint: its types, its validation, its place in the OpenAPI document and
 * who may call it all come from here.
 */
export interface RouteSpec<
  A extends Access = Access,
  P extends TObject = TObject,
  Q extends TObject = TObject,
  B extends TSchema = TSchema,
> {
  readonly method: Method
  readonly path: string
  readonly access: A
  readonly tag: string
  readonly summary: string
  readonly description?: string
  readonly params?: P
  readonly query?: Q
  /** JSON, read and checked before the handler runs. */
  readonly body?: B
  /** False where a missing body stands for an empty one. */
  readonly bodyRequired?: boolean
  /** Media types that the handler itself reads from the stream, each with its schema. */
  readonly streams?: Readonly<Record<string, TSchema>>
  /** Request headers worth documenting. */
  readonly headers?: Readonly<Record<string, HeaderSpec>>
  readonly responses: Readonly<Record<number, ResponseSpec>>
  /** Refusals of its own; those that every route shares are added by the OpenAPI writer. */
  readonly problems?: readonly ProblemClass[]
  /** Can take long: `Prefer: respond-async` answers 202 with a job of this kind. */
  readonly longRunning?: keyof LongWork
  /** What a caller holds from then on until the answer is taken; see `shares.ts`. */
  readonly place?: PlaceKind
}

export interface ResponseSpec {
  readonly description: string
  /** Absent: no JSON body. */
  readonly schema?: TSchema
  /** Which examples of the schema this answer can be; default: any of them. */
  readonly shows?: readonly string[]
  /** In the place of the schema's own examples. */
  readonly example?: unknown
  /** What is not JSON, by media type: text as it may look, or null for bytes. */
  readonly files?: Readonly<Record<string, string | null>>
  readonly headers?: Readonly<Record<string, HeaderSpec>>
}

export interface HeaderSpec {
  readonly description: string
  /** What a request header is held to. */
  readonly pattern?: string
  readonly example: string
}

/** A value as JSON, with every message in it as text. */
export type WriteJson = (value: unknown) => string

export interface RouteRequest<A extends Access, P, Q, B> {
  readonly params: P
  readonly query: Q
  readonly body: B
  readonly actor: A extends 'public' ? null : Actor
  readonly credential: A extends 'public' ? null : Credential
  readonly requestId: string
  /** The language to answer in. */
  readonly language: Language
  /** One message in that language. */
  readonly say: (message: string | StoredMessage) => string
  /** In that language, for bodies that are not written as a whole. */
  readonly writeJson: WriteJson
  /** Aborted when the client goes away, or when a stop of the service cannot wait any longer. */
  readonly signal: AbortSignal
  /** Aborted as soon as the service is told to stop, for answers that have no end of their own. */
  readonly stopping: AbortSignal
  /** Address of the client, for rate limits. */
  readonly clientAddress: string
  /** Address that the client reached the service by, without a trailing slash. */
  readonly baseUrl: string
  /** Path and query as they were sent. */
  readonly url: string
  header(name: string): string | undefined
  /** The request itself, for routes that read a stream. */
  readonly incoming: IncomingMessage
  /** For routes that read a form from the stream. */
  readonly uploadLimits: UploadLimits
  /** For routes that read a stream: the body as JSON, bounded, and known to the idempotency check. */
  readJson(): Promise<unknown>
  /** Checks what a route has read itself; pointers begin at the root of the body. */
  check<S extends TSchema>(schema: S, value: unknown): Static<S>
  /** For routes that read a stream: the file of a form, or the body itself as a file. */
  readFile(headerFields: Readonly<Record<string, string>>): Promise<SentFile>
  /** What stands for the body in the idempotency check, for routes that read a stream. */
  rememberFingerprint(fingerprint: string): void
  /** Null: the request came without an Idempotency-Key. */
  readonly key: KeyInUse | null
}

/** The Idempotency-Key of a request: said of it in the transaction that does what the request asks for. */
export interface KeyInUse {
  /** By a job that has yet to answer. */
  carryOut(client: ClientBase, jobUuid: string): Promise<void>
  /** `result` is what the handler returns when the transaction has committed. */
  answer(client: ClientBase, result: unknown): Promise<void>
}

/** Keeps the answer to a request in the transaction that makes what the answer shows. */
export const answerWith =
  <Made>(key: KeyInUse | null, show: (made: Made) => unknown): Alongside<Made> =>
  async (client, made) =>
    key?.answer(client, show(made))

type HandlerFor<A extends Access, P extends TObject, Q extends TObject, B extends TSchema> = (
  request: RouteRequest<A, Static<P>, Static<Q>, Static<B>>,
  services: HttpServices,
) => Promise<unknown>

export interface Route {
  readonly spec: RouteSpec
  /** The one success that it declares. */
  readonly success: number
  readonly handle: (
    request: RouteRequest<Access, unknown, unknown, unknown>,
    services: HttpServices,
  ) => Promise<unknown>
  /** Makes the body of a replay of what an `AnswerWithSecret` keeps; absent: that is the body. */
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
  // The one place where a route's own types are set aside: `mount` has validated what it passes.
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

/** An answer that is more than a JSON body under the route's one success status. */
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

/** What a handler returned: a bare value is the body of the route's one success. */
export const replyOf = ({ success }: Route, result: unknown): Reply =>
  result instanceof Reply ? result : new Reply(success, result)

/** An answer with a token or a signature in it, of which only the rest may be kept. */
export class AnswerWithSecret extends Reply {
  /** The body of a replay, or what the route makes it of. */
  readonly kept: unknown

  constructor(status: number, body: unknown, kept: unknown) {
    super(status, body)
    this.kept = kept
  }
}

/** JSON that is written already, so that every digit of a number survives. */
export class JsonText {
  readonly text: string | Readable

  constructor(text: string | Readable) {
    this.text = text
  }
}
