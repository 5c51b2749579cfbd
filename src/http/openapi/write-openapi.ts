import type { TSchema } from 'typebox'

import type { Route, RouteSpec } from '../define-route.ts'
import { Components, type Json } from './components.ts'
import { requestHeaders } from './headers.ts'
import { operationResponses } from './responses.ts'

interface OpenApiInfo {
  readonly version: string
  readonly description: string
  /** A description of each tag. */
  readonly tags: Readonly<Record<string, string>>
}

const ACCESS_NOTES = {
  public: 'No token needed.',
  holder: 'Whoever has the link of a collection: its secret goes in `X-Delivery-Token`.',
  user: 'Any signed-in user.',
  'folder-tree': 'Super-admins, and enterprise accounts within their enterprise.',
  admin: 'Admins (within their enterprise) and super-admins.',
  'super-admin': 'Super-admins only.',
} as const

/** Writes the OpenAPI 3.1 document from the routes; nothing in it is written by hand. */
export function writeOpenApi(routes: readonly Route[], info: OpenApiInfo): Json {
  const components = new Components()
  const paths: Record<string, Json> = {}
  for (const { spec } of routes) {
    const path = spec.path.replaceAll(/[:*](\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [spec.method]: operation(spec, components) }
  }
  const { tags, ...about } = info
  return {
    openapi: '3.1.1',
    info: { title: 'Administration service', ...about },
    servers: [{ url: '/' }],
    tags: [...new Set(routes.map(({ spec }) => spec.tag))].map((name) => ({
      name,
      description: tags[name],
    })),
    security: [{ appAccessToken: [] }, { bearer: [] }],
    paths,
    components: {
      securitySchemes: {
        appAccessToken: { type: 'apiKey', in: 'header', name: 'X-App-Access-Token' },
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        deliveryToken: { type: 'apiKey', in: 'header', name: 'X-Delivery-Token' },
      },
      ...components.written(),
    },
  }
}

function operation(spec: RouteSpec, components: Components): Json {
  const body = requestBody(spec, components)
  return {
    operationId: operationId(spec),
    tags: [spec.tag],
    summary: spec.summary,
    description: [spec.description, ACCESS_NOTES[spec.access]].filter(Boolean).join('\n\n'),
    ...(spec.access === 'public' && { security: [] }),
    ...(spec.access === 'holder' && { security: [{ deliveryToken: [] }] }),
    parameters: [
      ...parameters('path', spec.params, components),
      ...parameters('query', spec.query, components),
      ...headerParameters(spec),
    ],
    ...(body && { requestBody: body }),
    responses: operationResponses(spec, components),
  }
}

/** `patch /connections/:uuid` → `patchConnectionsByUuid`. */
export function operationId({ method, path }: RouteSpec): string {
  const words = path
    .split('/')
    .flatMap((part) => (/^[:*]/.test(part) ? ['by', part.slice(1)] : part.split(/[-.]/)))
    .filter(Boolean)
  return method + words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('')
}

function parameters(place: 'path' | 'query', schema: TSchema | undefined, components: Components) {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    properties?: Record<
      string,
      TSchema & { type?: unknown; description?: string; default?: unknown }
    >
    required?: string[]
  }
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: required.includes(name) && property.default === undefined,
    ...(property.type === 'object' && { style: 'deepObject', explode: true }),
    ...(property.description && { description: property.description }),
    schema: components.refer(property),
  }))
}

function headerParameters(spec: RouteSpec) {
  return Object.entries(requestHeaders(spec)).map(([name, { description, example, pattern }]) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string', ...(pattern && { pattern }), examples: [example] },
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
      Object.entries(content).map(([type, schema]) => {
        const examples = components.referExamples(schema)
        const shown = Object.keys(examples).length > 0 && { examples }
        return [type, { schema: components.referRead(schema), ...shown }]
      }),
    ),
  }
}
