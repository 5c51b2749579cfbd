import type { TSchema } from 'typebox'

import * as problems from '../../errors/index.ts'
import type { ProblemClass } from '../../errors/index.ts'
import type { ResponseSpec, Route, RouteSpec } from '../define-route.ts'
import { jobSchema } from '../presenters/present-job.ts'
import { named } from '../schemas.ts'
import { Components } from './components.ts'
import { cellErrorSchema, fieldErrorSchema, problemSchema } from './problem-schema.ts'

export interface OpenApiInfo {
  readonly version: string
  readonly description: string
}

type Json = Record<string, unknown>

const ACCESS_NOTES = {
  public: 'No token needed.',
  user: 'Any signed-in user.',
  'folder-tree': 'Super-admins, and enterprise accounts within their enterprise.',
  admin: 'Admins (within their enterprise) and super-admins.',
  'super-admin': 'Super-admins only.',
} as const

const QUEUED: ResponseSpec = {
  description: 'The job that does it, with `Prefer: respond-async`; `Location` names it too',
  schema: jobSchema,
}

/** The OpenAPI 3.1 document of the routes: nothing in it is written a second time by hand. */
export function writeOpenApi(routes: readonly Route[], info: OpenApiInfo): Json {
  const components = new Components()
  const problem = components.refer(named('Problem', problemSchema))
  components.refer(named('FieldError', fieldErrorSchema))
  components.refer(named('CellError', cellErrorSchema))

  const paths: Record<string, Json> = {}
  for (const { spec } of routes) {
    const path = spec.path.replaceAll(/[:*](\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [spec.method]: operation(spec, components, problem) }
  }
  return {
    openapi: '3.1.1',
    info: { title: 'Administration service', ...info },
    servers: [{ url: '/' }],
    tags: [...new Set(routes.map(({ spec }) => spec.tag))].map((name) => ({ name })),
    security: [{ appAccessToken: [] }, { bearer: [] }],
    paths,
    components: {
      securitySchemes: {
        appAccessToken: { type: 'apiKey', in: 'header', name: 'X-App-Access-Token' },
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
      },
      schemas: components.schemas(),
    },
  }
}

function operation(spec: RouteSpec, components: Components, problem: Json): Json {
  const body = requestBody(spec, components)
  return {
    operationId: operationId(spec),
    tags: [spec.tag],
    summary: spec.summary,
    description: [spec.description, ACCESS_NOTES[spec.access]].filter(Boolean).join('\n\n'),
    ...(spec.access === 'public' && { security: [] }),
    parameters: [
      ...parameters('path', spec.params, components),
      ...parameters('query', spec.query, components),
      ...headerParameters(spec),
    ],
    ...(body && { requestBody: body }),
    responses: {
      ...Object.fromEntries(
        Object.entries(spec.responses).map(([status, response]) => [
          status,
          responseObject(response, components),
        ]),
      ),
      ...(spec.longRunning && { 202: responseObject(QUEUED, components) }),
      ...problemResponses(spec, problem),
    },
  }
}

/** `patch /connections/:uuid` → `patchConnectionsByUuid`. */
export function operationId({ method, path }: RouteSpec): string {
  const words = path
    .split('/')
    .filter(Boolean)
    .flatMap((part) => (/^[:*]/.test(part) ? ['by', part.slice(1)] : part.split(/[-.]/)))
  return method + words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('')
}

function parameters(place: 'path' | 'query', schema: TSchema | undefined, components: Components) {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    properties?: Record<string, TSchema & { description?: string; default?: unknown }>
    required?: string[]
  }
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: required.includes(name) && property.default === undefined,
    ...(property.description && { description: property.description }),
    schema: components.refer(property),
  }))
}

function headerParameters(spec: RouteSpec) {
  const headers: Record<string, string> = {
    ...spec.headers,
    ...(spec.method === 'post' &&
      spec.access !== 'public' && {
        'Idempotency-Key': 'The same key, caller and body within 24 h give the first answer again',
      }),
    ...(spec.longRunning && {
      Prefer: '`respond-async`: answer 202 at once with a job, and do the work in the background',
    }),
  }
  return Object.entries(headers).map(([name, description]) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string' },
  }))
}

function requestBody(spec: RouteSpec, components: Components): Json | null {
  const content = {
    ...(spec.body && { 'application/json': spec.body }),
    ...spec.streams,
  }
  if (Object.keys(content).length === 0) return null
  return {
    required: spec.bodyRequired !== false,
    content: Object.fromEntries(
      Object.entries(content).map(([type, schema]) => [type, { schema: components.refer(schema) }]),
    ),
  }
}

function responseObject(response: ResponseSpec, components: Components): Json {
  const { description, schema, contentType = 'application/json', example } = response
  if (!schema) return { description }
  return {
    description,
    content: {
      [contentType]: {
        schema: components.refer(schema),
        ...(example !== undefined && { example }),
      },
    },
  }
}

/** Refusals by status, each with the codes it can carry. */
function problemResponses(spec: RouteSpec, schema: Json): Json {
  const byStatus = new Map<number, ProblemClass[]>()
  for (const problem of new Set([...sharedProblems(spec), ...(spec.problems ?? [])])) {
    byStatus.set(problem.status, [...(byStatus.get(problem.status) ?? []), problem])
  }
  return Object.fromEntries(
    [...byStatus].map(([status, list]) => [
      status,
      {
        description: list.map(({ code, title }) => `\`${code}\`: ${title}`).join('\n\n'),
        content: { 'application/problem+json': { schema } },
      },
    ]),
  )
}

function sharedProblems(spec: RouteSpec): ProblemClass[] {
  const reads = spec.body !== undefined || spec.streams !== undefined
  return [
    problems.ValidationException,
    ...(reads ? [problems.MalformedBodyException, problems.RequestTimeoutException] : []),
    ...(reads ? [problems.PayloadTooLargeException, problems.UnsupportedMediaTypeException] : []),
    ...(spec.access === 'public' ? [] : [problems.UnauthorizedException]),
    ...(spec.access === 'public' || spec.access === 'user' ? [] : [problems.ForbiddenException]),
    ...(spec.method === 'post' && spec.access !== 'public'
      ? [problems.IdempotencyKeyInUseException, problems.IdempotencyKeyReusedException]
      : []),
    ...(spec.longRunning ? [problems.JobCancelledException] : []),
    problems.InternalServerErrorException,
    problems.ServiceUnavailableException,
  ]
}
