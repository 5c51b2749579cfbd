import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'

import Router, { type RouterMiddleware } from '@koa/router'
import type { Context } from 'koa'

import { cutText } from '../../pipelines/index.ts'
import { type Holder, sharerOfHolder } from '../domain/collections/holder.ts'
import type { Admitted, Caller } from '../domain/auth/credential.ts'
import {
  MethodNotAllowedException,
  RouteNotFoundException,
  ShareExceededException,
  UnauthorizedException,
} from '../errors/index.ts'
import { type Places, type Sharer, sharerOf } from '../shares.ts'
import { readJsonBody } from './body/json-body.ts'
import { announcesBody, refuseBody, cutSlowBody } from './body/refused-bodies.ts'
import { createCallersFollowed, requireAccess } from './callers-followed.ts'
import { clientGone } from './client-gone.ts'
import {
  JsonText,
  type Reply,
  replyOf,
  type Route,
  type Done,
  type RouteSpec,
  uuidIn,
  type WriteJson,
} from './define-route.ts'
import { withIdempotency } from './idempotency.ts'
import { languageOf } from './middleware/choose-language.ts'
import { answerOfJob } from './respond-as-job.ts'
import { ReceivedRequest, type RequestSettings } from './received-request.ts'
import { strictObject } from './schemas.ts'
import type { HttpServices } from './services.ts'
import { requestMessages } from './request-messages.ts'
import type { Audit, Deed, Doer } from '../domain/audit/audit.ts'
import { ACTIONS } from '../resources/audit-entry.ts'

interface MountOptions extends RequestSettings {
  readonly services: HttpServices
  readonly bodyIdleTimeoutMs: number
}

interface MountedOptions extends MountOptions {
  readonly callers: ReturnType<typeof createCallersFollowed>
}

const NOTHING = strictObject({})
const NOBODY = { actor: null, credential: null }

/**
 * Turns the list of routes into a middleware. The order of the steps is the order of the refusals.
 * Each area has its own router, since a router tries the pattern of every path that it has.
 */
export function mountRoutes(routes: readonly Route[], given: MountOptions): RouterMiddleware {
  const options = { ...given, callers: createCallersFollowed() }
  const areas = new Map<string, Router>()
  for (const [path, byMethod] of routesByPath(routes)) {
    const area = areaOf(path)
    // Paths are case-sensitive, and a trailing slash counts: proxies that guard some paths compare
    // them in the same way.
    const router = areas.get(area) ?? new Router({ sensitive: true, strict: true })
    areas.set(area, router)
    router.all(path, async (ctx: Context) => {
      ctx.state['route'] = path
      const route = byMethod.get(ctx.method === 'HEAD' ? 'GET' : ctx.method)
      if (!route) throw await methodNotAllowed(ctx, byMethod, options)
      const reply = await answer(ctx, route, options)
      sendReply(ctx, reply, (value) => options.catalogue.json(value, languageOf(ctx)))
    })
  }
  const middlewares = new Map([...areas].map(([area, router]) => [area, router.routes()]))
  return (ctx, next) => {
    const area = middlewares.get(areaOf(ctx.path))
    return area ? area(ctx, next) : next()
  }
}

/** Fixed paths come first, so that their names are not taken for values of a parameter. */
function routesByPath(
  routes: readonly Route[],
): readonly (readonly [path: string, byMethod: ReadonlyMap<string, Route>])[] {
  const paths = new Map<string, Map<string, Route>>()
  for (const route of routes) {
    const { path, method } = route.spec
    const byMethod = paths.get(path) ?? new Map<string, Route>()
    paths.set(path, byMethod.set(method.toUpperCase(), route))
  }
  // Letters come before both signs of a parameter.
  const order = (path: string) => path.replaceAll('/:', '/~').replaceAll('/*', '/~~')
  return [...paths].toSorted(([a], [b]) => (order(a) < order(b) ? -1 : 1))
}

/** First segment of a path. */
function areaOf(path: string): string {
  const end = path.indexOf('/', 1)
  return end === -1 ? path.slice(1) : path.slice(1, end)
}

/**
 * Answered to any caller who is signed in, whatever their role; to everybody if one of the methods
 * needs no account.
 */
async function methodNotAllowed(
  ctx: Context,
  byMethod: ReadonlyMap<string, Route>,
  { services }: MountOptions,
): Promise<Error> {
  const accesses = [...byMethod.values()].map(({ spec }) => spec.access)
  if (accesses.every((access) => access !== 'public' && access !== 'holder')) {
    await authenticate(ctx, services)
  }
  const methods = [...byMethod.keys()].flatMap((name) => (name === 'GET' ? [name, 'HEAD'] : [name]))
  const allowed = methods.join(', ')
  return new MethodNotAllowedException(requestMessages.takes({ methods: allowed }), {
    headers: { allow: allowed },
  })
}

/** The answer when no route matches. */
export async function noRoute(ctx: Context): Promise<void> {
  throw new RouteNotFoundException(requestMessages.noRoute({ path: cutText(ctx.path, 200) }))
}

async function answer(ctx: Context, route: Route, options: MountedOptions): Promise<Reply> {
  const { spec, handle, replay } = route
  const { services, validators } = options
  // The same address shows other things to other callers, so no cache may share the answer.
  if (spec.access !== 'public') ctx.set('cache-control', 'private, no-cache')
  const holder = spec.access === 'holder' ? await authenticateHolder(ctx, services) : null
  const isOfAccounts = spec.access !== 'public' && spec.access !== 'holder'
  const admitted = isOfAccounts ? await authenticate(ctx, services) : null
  if (admitted) {
    ctx.state['actor'] = admitted.actor.uuid
    requireAccess(admitted, spec.access)
  }
  // A job follows its owner by itself.
  const lost = admitted && spec.place && !spec.longRunning ? new AbortController() : null
  const gone = goneOf(ctx, options, lost)
  const sharer = holder ? sharerOfHolder(holder) : admitted && sharerOf(admitted.actor)
  const free = sharer && services.places.answers.takeFree(sharer)
  using turn = sharer && (free ?? (await services.places.answers.wait(sharer, gone())))
  const params = validators.check('path', spec.params ?? NOTHING, { ...ctx['params'] })
  const query = validators.check('query', spec.query ?? NOTHING, readQuery(ctx))

  using _guard = announcesBody(ctx.req) ? cutSlowBody(ctx.req, options.bodyIdleTimeoutMs) : null
  if (!spec.body && !spec.streams) await refuseBody(ctx.req)
  using held = new DisposableStack()
  if (spec.place && sharer) {
    held.use(await holdPlace(services.places[spec.place], sharer))
    // From here on the request runs at the pace of its client, and is limited by the places.
    turn?.[Symbol.dispose]()
  }
  if (admitted && lost) held.use(options.callers.follow(admitted, spec.access, lost))
  const isComing = spec.body !== undefined && announcesBody(ctx.req) && !ctx.req.complete
  const body = spec.body
    ? validators.check(
        'body',
        spec.body,
        await readJsonBody(ctx, options.maxBodyBytes, spec.bodyRequired !== false),
      )
    : undefined
  // Whoever waited for their turn, or sent the body slowly, may have lost their rights meanwhile.
  const caller = free === null || isComing ? await againAdmitted(admitted, spec) : admitted
  const { actor, credential } = caller ?? NOBODY

  const request = new ReceivedRequest(
    ctx,
    { params, query, body, actor, credential, holder, gone },
    options,
  )
  // An empty key counts, too: a client that sends one relies on it, and is told that it is
  // invalid.
  const key = actor && spec.method === 'post' ? ctx.req.headers['idempotency-key'] : undefined
  const run = () => onTrail(services.audit, spec, request, () => handle(request, services))
  const reply = await (key === undefined
    ? run().then((result) => replyOf(route, result))
    : withIdempotency(services.idempotency, String(key), request, spec, {
        run,
        replyOf: (result) => replyOf(route, result),
        answerOf: (job) => answerOfJob(request.actor, services, job),
        replay: replay && ((kept) => replay(kept, request, services)),
      }))
  if (sharer && isLarge(reply)) held.use(services.places.largeAnswers.hold(sharer))
  if (isTakenSlowly(reply)) holdUntilTaken(ctx, held.move())
  return reply
}

/** Most requests are answered before anything needs the signal. */
function goneOf(
  { res }: Context,
  { cut }: MountOptions,
  lost: AbortController | null,
): () => AbortSignal {
  let gone: AbortSignal | null = null
  const make = () => {
    const left = clientGone(res, cut)
    return lost ? AbortSignal.any([left, lost.signal]) : left
  }
  return () => (gone ??= make())
}

async function againAdmitted(admitted: Admitted | null, spec: RouteSpec): Promise<Caller | null> {
  if (!admitted) return null
  const caller = await admitted.again()
  requireAccess(caller, spec.access)
  return caller
}

/** Makes asking again at once pointless for the sender, and cheap for others. */
const REFUSED_AFTER_MS = 100

async function holdPlace(places: Places, who: Sharer): Promise<Disposable> {
  try {
    return places.hold(who)
  } catch (error) {
    if (error instanceof ShareExceededException) await sleep(REFUSED_AFTER_MS)
    throw error
  }
}

const LARGE_CHARACTERS = 256 * 1024

const contentOf = ({ body }: Reply): unknown => (body instanceof JsonText ? body.text : body)

/** A large answer stays in memory until the client has taken it. */
function isLarge(reply: Reply): boolean {
  const content = contentOf(reply)
  return typeof content === 'string' && content.length > LARGE_CHARACTERS
}

const isTakenSlowly = (reply: Reply): boolean =>
  isLarge(reply) || contentOf(reply) instanceof Readable

function holdUntilTaken({ res }: Context, held: DisposableStack): void {
  if (res.closed) held.dispose()
  else res.once('close', () => held.dispose())
}

async function authenticate(ctx: Context, { auth }: HttpServices): Promise<Admitted> {
  const bearer = /^Bearer +(\S+)$/i.exec(ctx.get('authorization'))?.[1]
  const token = ctx.get('x-app-access-token') || bearer
  if (!token) throw new UnauthorizedException()
  return auth.authenticate(token)
}

/** No address carries the secret: it would stand in logs. */
async function authenticateHolder(ctx: Context, { deliveries }: HttpServices): Promise<Holder> {
  return deliveries.authenticate(ctx.get('x-delivery-token'), ctx.ip)
}

/** A repeated parameter becomes an array, which only the schemas of those that may come again accept. */
function readQuery(ctx: Context): Record<string, unknown> {
  const query: Record<string, unknown> = Object.create(null) as Record<string, unknown>
  if (ctx.querystring === '') return query
  const parameters = new URLSearchParams(ctx.querystring)
  for (const name of parameters.keys()) {
    const values = parameters.getAll(name)
    query[name] = values.length === 1 ? values[0] : values
  }
  return query
}

/**
 * Does what a request asks for, and has it written into the audit trail: by the handler, in the
 * transaction of the change, or else here once it is done. A request that fails did nothing.
 */
async function onTrail(
  audit: Audit,
  { audit: action, method, recordsItself = false }: RouteSpec,
  request: ReceivedRequest,
  handle: () => Promise<unknown>,
): Promise<unknown> {
  if (action === undefined) return handle()
  const params = request.params as Readonly<Record<string, string>>
  // The thing may be within another: a load of a source.
  const named = params[ACTIONS[action]] ?? params['uuid']
  // What is removed cannot be asked afterwards.
  const place = method === 'delete' && named ? await audit.placeOf(action, named) : null
  const fields = method === 'patch' ? Object.keys(request.body as object) : []
  let isRecorded = recordsItself

  const deedOf = ({ thingUuid = named, jobUuid, outcome, actor }: Done): Deed => ({
    action,
    thingUuid: thingUuid ?? null,
    place,
    fields,
    by: actor ? { actor, via: 'password' } : doerOf(request),
    address: request.clientAddress,
    requestId: request.requestId,
    ...(jobUuid !== undefined && { jobUuid }),
    ...(outcome && { outcome }),
  })
  request.record = async (client, done = {}) => {
    await audit.record(deedOf(done), client)
    isRecorded = true
  }
  const result = await handle()
  if (!isRecorded) await audit.record(deedOf({ thingUuid: named ?? uuidIn(result) }), null)
  return result
}

function doerOf(request: ReceivedRequest): Doer {
  const { actor, credential } = request
  const holder = request.holder as Holder | null
  if (holder !== null) return { actor: { email: holder.email }, via: 'link' }
  return { actor, via: credential.kind, token: credential.id }
}

/** Writes the reply; a bare value is sent as JSON. */
function sendReply(ctx: Context, { status, headers, body }: Reply, writeJson: WriteJson): void {
  ctx.status = status
  ctx.set(headers)
  if (body instanceof JsonText) {
    describeJson(ctx)
    ctx.body = body.text
  } else if (Buffer.isBuffer(body) || body instanceof Readable) {
    ctx.body = body
  } else if (body === undefined || body === null) {
    ctx.body = null
  } else {
    describeJson(ctx)
    ctx.body = typeof body === 'string' ? body : writeJson(body)
  }
}

/** Unless the route's own headers do so: a route that always answers in one language says which. */
function describeJson(ctx: Context): void {
  const { res } = ctx
  if (!res.hasHeader('content-type')) {
    res.setHeader('content-type', 'application/json; charset=utf-8')
  }
  if (!res.hasHeader('content-language')) res.setHeader('content-language', languageOf(ctx))
}
