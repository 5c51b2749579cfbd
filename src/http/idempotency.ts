import { hash } from 'node:crypto'
import { Readable } from 'node:stream'

import type { Access, Actor } from '../domain/actor.ts'
import type { IdempotencyStore, StoredAnswer } from '../domain/idempotency.ts'
import {
  IdempotencyKeyInUseException,
  IdempotencyKeyReusedException,
  invalidField,
  problemDocument,
} from '../errors/index.ts'
import { toProblem } from '../errors/to-problem.ts'
import {
  AnswerWithSecret,
  JsonText,
  Reply,
  type KeyInUse,
  type RouteRequest,
  type RouteSpec,
} from './define-route.ts'
import { requestMessages } from './request-messages.ts'

export const IDEMPOTENCY_KEY = /^[!-~]{1,255}$/

type AnyRequest = RouteRequest<Access, unknown, unknown, unknown>

/** How to compare the body of an upload, which is not held as a value, and how the key is settled. */
export interface KeyedRequest {
  key: KeyInUse | null
  /** The fingerprint of the upload that was handled; null if it was not read to its end. */
  fingerprint(): string | null
  /** The fingerprint of a repeated upload, which is only read and not handled. */
  readAgain(): Promise<string>
}

/** The ways in which an answer comes about. */
interface Answering {
  run(): Promise<unknown>
  replyOf(result: unknown): Reply
  /** The answer of a job that has done its work; refuses if there is none, or not yet. */
  answerOf(jobUuid: string): Promise<unknown>
  /** Recreates the body if only a part of it was stored. */
  readonly replay: ((kept: unknown) => Promise<unknown>) | undefined
}

/**
 * The same key, actor and body give the first answer again. Answers 2xx and 4xx are stored; 5xx
 * are not, since they call for another try.
 */
export async function withIdempotency(
  store: IdempotencyStore,
  key: string,
  request: AnyRequest & KeyedRequest,
  spec: RouteSpec,
  { run, replyOf, answerOf, replay }: Answering,
): Promise<Reply> {
  if (!IDEMPOTENCY_KEY.test(key)) {
    throw invalidField('/headers/idempotency-key', requestMessages.idempotencyKey())
  }
  const actor = request.actor as Actor
  const operation = `${spec.method} ${request.url}`
  const bodyFingerprint = spec.streams ? null : fingerprint(operation, stableJson(request.body))
  const state = await store.begin({ actorId: actor.id, key })
  if (state.kind === 'under-way') throw new IdempotencyKeyInUseException()
  if (state.kind !== 'begun') {
    const given = bodyFingerprint ?? fingerprint(operation, await request.readAgain())
    if (given !== state.fingerprint) throw new IdempotencyKeyReusedException()
    const { status, headers, body } =
      state.kind === 'done'
        ? await replayed(state.answer, replay)
        : replyOf(await answerOf(state.jobUuid))
    return new Reply(status, body, { ...headers, 'idempotent-replayed': 'true' })
  }

  const { claim } = state
  /** Null for an upload that was not read to its end: there is nothing to compare with. */
  const known = () => {
    const streamed = request.fingerprint()
    return bodyFingerprint ?? (streamed === null ? null : fingerprint(operation, streamed))
  }
  const keep = async (answer: StoredAnswer) => {
    const whole = known()
    if (whole === null || answer.status >= 500) await store.free(claim)
    else await store.finish(claim, whole, answer)
  }
  let isAnswered = false
  request.key = {
    async carryOut(client, jobUuid) {
      if (await store.carryOut(client, claim, known()!, jobUuid)) return
      throw new IdempotencyKeyInUseException()
    },
    async answer(client, result) {
      const answer = storedAnswer(spec, replyOf(result), request)
      if (!(await store.finishWithin(client, claim, known()!, answer))) {
        throw new IdempotencyKeyInUseException()
      }
      isAnswered = true
    },
  }
  try {
    const reply = replyOf(await run())
    // A file is made anew.
    if (reply.body instanceof Readable) await store.free(claim)
    else if (!isAnswered) await keep(storedAnswer(spec, reply, request))
    return reply
  } catch (error) {
    const problem = toProblem(error)
    await keep({
      status: problem.status,
      headers: {
        ...problem.extras.headers,
        'content-type': 'application/problem+json',
        'content-language': request.language,
      },
      json: request.writeJson(problemDocument(problem, request.requestId)),
    })
    throw error
  }
}

async function replayed(
  { status, headers, json }: StoredAnswer,
  replay: Answering['replay'],
): Promise<Reply> {
  const isMadeAnew = replay !== undefined && json !== null && status < 300
  const body = isMadeAnew ? await replay(JSON.parse(json)) : json && new JsonText(json)
  return new Reply(status, body, headers)
}

function storedAnswer(
  spec: RouteSpec,
  reply: Reply,
  { language, writeJson }: Pick<AnyRequest, 'language' | 'writeJson'>,
): StoredAnswer {
  const isSecret = reply instanceof AnswerWithSecret
  const { status } = reply
  // Those of the secret say how it was written.
  const headers = isSecret ? {} : reply.headers
  const body = isSecret ? reply.kept : reply.body
  const text = body instanceof JsonText ? body.text : writeJson(body ?? null)
  if (typeof text !== 'string') throw new Error(`${spec.path}: a stream cannot be given again`)
  return { status, headers: { 'content-language': language, ...headers }, json: text }
}

function fingerprint(operation: string, content: string): string {
  return hash('sha256', `${operation}\n${content}`)
}

/** Equal values give equal text, whatever the order of their keys. */
function stableJson(value: unknown): string {
  return (
    JSON.stringify(value, (_key, inner: unknown) =>
      inner !== null && typeof inner === 'object' && !Array.isArray(inner)
        ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
        : inner,
    ) ?? ''
  )
}
