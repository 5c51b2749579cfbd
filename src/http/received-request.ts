import type { IncomingMessage } from 'node:http'

import type { Context } from 'koa'
import type { Static, TSchema } from 'typebox'

import type { Access, Actor } from '../domain/actor.ts'
import type { Catalogue, Language, StoredMessage } from '../../pipelines/index.ts'
import type { Holder } from '../domain/collections/holder.ts'
import type { Credential } from '../domain/auth/credential.ts'
import { bodyMessages } from './body/body-messages.ts'
import { readJsonText } from './body/json-body.ts'
import type { UploadLimits } from './body/multipart.ts'
import { readFile, type SentFile } from './body/read-file.ts'
import { fingerprintUpload, jsonFingerprint } from './body/upload-fingerprint.ts'
import type { KeyInUse, RecordDone, RouteRequest } from './define-route.ts'
import type { KeyedRequest } from './idempotency.ts'
import { languageOf } from './middleware/choose-language.ts'
import type { Validators } from './validation.ts'

/** What was checked before the handler is called. */
interface CheckedParts {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
  readonly actor: Actor | null
  readonly holder: Holder | null
  readonly credential: Credential | null
  /** Aborted when the client goes away, or is cut off. */
  readonly gone: () => AbortSignal
}

export interface RequestSettings {
  readonly validators: Validators
  readonly catalogue: Catalogue
  readonly maxBodyBytes: number
  readonly maxUploadBytes: number
  readonly publicUrl: string | null
  /** Aborted as soon as the service is told to stop. */
  readonly stopping: AbortSignal
  /** Aborted when the time for requests under way is then over. */
  readonly cut: AbortSignal
}

/**
 * A request as its handler sees it. It is a class because V8 gives every object literal with a
 * getter a hidden class of its own and chains them: no request was freed before a full garbage
 * collection.
 */
export class ReceivedRequest
  implements RouteRequest<Access, unknown, unknown, unknown>, KeyedRequest
{
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
  // The type of a request derives the actor from the access; both are settled before it is
  // created.
  readonly actor: Actor
  readonly credential: Credential
  readonly holder: Holder & null
  key: KeyInUse | null = null
  /** Set for requests that the audit trail tells of. */
  record: RecordDone = async () => undefined
  readonly #ctx: Context
  readonly #settings: RequestSettings
  readonly #gone: () => AbortSignal
  #fingerprint: string | null = null

  constructor(
    ctx: Context,
    { params, query, body, actor, credential, holder, gone }: CheckedParts,
    settings: RequestSettings,
  ) {
    this.params = params
    this.query = query
    this.body = body
    this.actor = actor as Actor
    this.credential = credential as Credential
    this.holder = holder as Holder & null
    this.#ctx = ctx
    this.#settings = settings
    this.#gone = gone
  }

  get requestId(): string {
    return this.#ctx.state['requestId'] as string
  }

  get language(): Language {
    return languageOf(this.#ctx)
  }

  get signal(): AbortSignal {
    return this.#gone()
  }

  get stopping(): AbortSignal {
    return this.#settings.stopping
  }

  get clientAddress(): string {
    return this.#ctx.ip
  }

  get baseUrl(): string {
    return this.#settings.publicUrl ?? `${this.#ctx.protocol}://${this.#ctx.host}`
  }

  get basePath(): string {
    const { pathname } = new URL(this.#settings.publicUrl ?? 'http://service')
    return pathname === '/' ? '' : pathname
  }

  get url(): string {
    return this.#ctx.url
  }

  get incoming(): IncomingMessage {
    return this.#ctx.req
  }

  // Bound functions, since handlers destructure their requests.

  readonly header = (name: string): string | undefined => this.#ctx.get(name) || undefined

  readonly say = (message: string | StoredMessage): string =>
    this.#settings.catalogue.say(message, this.language)

  readonly writeJson = (value: unknown): string =>
    this.#settings.catalogue.json(value, this.language)

  readonly check = <S extends TSchema>(schema: S, value: unknown): Static<S> =>
    this.#settings.validators.check('body', schema, value) as Static<S>

  readonly readFile = (headerFields: Readonly<Record<string, string>>): Promise<SentFile> =>
    readFile(this.incoming, { ...this.uploadLimits, headerFields })

  readonly readJson = async (): Promise<unknown> => {
    const { bytes, value } = await readJsonText(
      this.#ctx,
      this.#settings.maxBodyBytes,
      bodyMessages.neitherFormNorJson(),
    )
    this.#fingerprint = jsonFingerprint(this.incoming, bytes)
    return value
  }

  readonly rememberFingerprint = (fingerprint: string): void => {
    this.#fingerprint = fingerprint
  }

  fingerprint(): string | null {
    return this.#fingerprint
  }

  readAgain(): Promise<string> {
    return fingerprintUpload(this.incoming, this.uploadLimits)
  }

  get uploadLimits(): UploadLimits {
    const { maxUploadBytes, maxBodyBytes } = this.#settings
    return { maxFileBytes: maxUploadBytes, maxFieldBytes: maxBodyBytes }
  }
}
