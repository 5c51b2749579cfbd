import Router from '@koa/router'
import type { Context } from 'koa'
import type { Static, TSchema } from 'typebox'

import type { Actor } from '../domain/actor.ts'
import {
  ForbiddenException,
  MethodNotAllowedException,
  RouteNotFoundException,
  UnauthorizedException,
} from '../errors/index.ts'
import { readJsonBody, readJsonText } from './body/json-body.ts'
import { readMultipart } from './body/multipart.ts'
import { announcesBody, refuseBody } from './body/no-body.ts'
import { readFile } from './body/read-file.ts'
import { cutStalledBody } from './body/stalled-body.ts'
import { fingerprintUpload, jsonFingerprint } from './body/upload-fingerprint.ts'
import type { Capacity } from './capacity.ts'
import type { Access, Route, RouteRequest } from './define-route.ts'
import { clientGone } from './client-gone.ts'
import { withIdempotency } from './idempotency.ts'
import { strictObject } from './schemas.ts'
import { sendReply } from './send-reply.ts'
import type { HttpServices } from './services.ts'
import type { Validators } from './validation.ts'

export interface MountOptions {
  readonly services: HttpServices
  readonly validators: Validators
  readonly capacity: Capacity
  readonly maxBodyBytes: number
  readonly maxUploadBytes: number
  readonly stalledBodyTimeoutMs: number
  readonly publicUrl: string | null
  /** Aborted as soon as the service is told to stop. */
  readonly stopping: AbortSignal
  /** Aborted when what is under way then has had its time. */
  readonly cut: AbortSignal
}

const NOTHING = strictObject({})

/** Turns the list of routes into a router. The order of the steps is the order of the refusals. */
export function mountRoutes(routes: readonly Route[], options: MountOptions): Router {
  // Paths are told apart by case, as proxies that guard some of them do.
  const router = new Router({ sensitive: true })
  for (const route of routes) {
    router[route.spec.method](route.spec.path, async (ctx: Context) => {
      ctx.state['route'] = route.spec.path
      await answer(ctx, route, options)
    })
  }
  return router
}

/** What answers when no route does. */
export async function noRoute(ctx: Context): Promise<void> {
  const matched = (ctx['matched'] ?? []) as readonly { methods: readonly string[] }[]
  const allowed = [...new Set(matched.flatMap(({ methods }) => methods))]
  if (allowed.length === 0) {
    throw new RouteNotFoundException(`There is nothing at ${ctx.path.slice(0, 200)}`)
  }
  throw new MethodNotAllowedException(`This address takes ${allowed.join(', ')}`, {
    headers: { allow: allowed.join(', ') },
  })
}

async function answer(ctx: Context, { spec, handle }: Route, options: MountOptions): Promise<void> {
  const { services, validators, capacity } = options
  // The same address shows other things to others: no cache may keep it for more than one caller.
  if (spec.access !== 'public') ctx.set('cache-control', 'private, no-cache')
  const actor = spec.access === 'public' ? null : await authenticate(ctx, services)
  if (actor) {
    ctx.state['actor'] = actor.uuid
    allow(actor, spec.access)
  }
  const params = validators.check('path', spec.params ?? NOTHING, { ...ctx['params'] })
  const query = validators.check('query', spec.query ?? NOTHING, readQuery(ctx))

  let signal: AbortSignal | null = null
  using _guard = announcesBody(ctx.req)
    ? cutStalledBody(ctx.req, options.stalledBodyTimeoutMs)
    : null
  if (!spec.body && !spec.streams) await refuseBody(ctx.req)
  using _place = spec.heavy ? capacity.take() : null
  const body = spec.body
    ? validators.check(
        'body',
        spec.body,
        await readJsonBody(ctx, options.maxBodyBytes, spec.bodyRequired !== false),
      )
    : undefined

  const limits = { maxFileBytes: options.maxUploadBytes, maxFieldBytes: options.maxBodyBytes }
  let fingerprint: string | null = null
  const upload = {
    fingerprint: () => fingerprint,
    readAgain: () => fingerprintUpload(ctx.req, limits),
  }
  const request: RouteRequest<Access, unknown, unknown, unknown> = {
    params,
    query,
    body,
    // The type of a request ties the actor to the access; both were decided above.
    actor,
    requestId: ctx.state['requestId'] as string,
    // Most are answered before anybody could ask.
    get signal() {
      return (signal ??= clientGone(ctx.res, options.cut))
    },
    stopping: options.stopping,
    clientAddress: ctx.ip,
    baseUrl: options.publicUrl ?? ctx.origin,
    url: ctx.url,
    header: (name) => ctx.get(name) || undefined,
    incoming: ctx.req,
    readUpload: () => readMultipart(ctx.req, limits),
    readFile: (headerFields) => readFile(ctx.req, { ...limits, headerFields }),
    readJson: async () => {
      const { bytes, value } = await readJsonText(ctx, options.maxBodyBytes)
      fingerprint = jsonFingerprint(ctx.req, bytes)
      return value
    },
    check: <S extends TSchema>(schema: S, value: unknown) =>
      validators.check('body', schema, value) as Static<S>,
    rememberFingerprint: (value) => {
      fingerprint = value
    },
  }
  const run = async () => handle(request, services)
  const result =
    actor && spec.method === 'post'
      ? await withIdempotency(services.idempotency, request, spec, upload, run)
      : await run()
  sendReply(ctx, spec, result)
}

async function authenticate(ctx: Context, { auth }: HttpServices): Promise<Actor> {
  const bearer = /^Bearer +(\S+)$/i.exec(ctx.get('authorization'))?.[1]
  const token = ctx.get('x-app-access-token') || bearer
  if (!token) throw new UnauthorizedException()
  return auth.authenticate(token)
}

const MAY: Readonly<Record<Access, (actor: Actor) => boolean>> = {
  public: () => true,
  user: () => true,
  // Inside their own enterprise; its scope is in the query.
  'folder-tree': ({ role, accountType }) => role === 'super-admin' || accountType === 'enterprise',
  admin: ({ role }) => role === 'admin' || role === 'super-admin',
  'super-admin': ({ role }) => role === 'super-admin',
}

function allow(actor: Actor, access: Access): void {
  if (!MAY[access](actor)) throw new ForbiddenException()
}

/** Each parameter once; a repeated one stays an array, which no schema accepts. */
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
