import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'

export type Schema = Readonly<Record<string, unknown>>

export interface Parameter {
  readonly name: string
  readonly in: 'query' | 'path' | 'header'
  readonly required: boolean
  readonly schema: Schema
}

/** One operation of the OpenAPI document, with what is needed to abuse it. */
export interface Operation {
  /** As the matrix names it: `GET /folders/{uuid}`. */
  readonly name: string
  readonly method: string
  readonly path: string
  readonly parameters: readonly Parameter[]
  readonly jsonBody: Schema | null
  readonly bodyRequired: boolean
  /** Media types that it reads as a stream. */
  readonly streams: readonly string[]
  readonly statuses: ReadonlySet<number>
  readonly isPublic: boolean
  /** What the document says of a body or of one parameter; unknown formats count as kept. */
  acceptsBody(value: unknown): boolean
}

interface DocumentedOperation {
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: {
    readonly required?: boolean
    readonly content: Readonly<Record<string, { readonly schema: Schema }>>
  }
  readonly responses: Readonly<Record<string, unknown>>
  readonly security?: readonly unknown[]
}

interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

const JSON_TYPE = 'application/json'
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export async function readOperations(address: string): Promise<Operation[]> {
  const document = (await (await fetch(`${address}/openapi.json`)).json()) as ApiDocument
  const ajv = new Ajv2020({ strict: false, allErrors: false, formats: FORMATS })
  ajv.addSchema({ $id: 'api', ...document })
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, documented]) =>
      toOperation(method, path, documented, document, ajv),
    ),
  )
}

const FORMATS = {
  uuid: UUID,
  'without-nul': (text: string) => !text.includes('\0'),
  email: true,
  uri: true,
  binary: true,
  'date-time': true,
} as const

function toOperation(
  method: string,
  path: string,
  documented: DocumentedOperation,
  document: ApiDocument,
  ajv: Ajv2020,
): Operation {
  const content = documented.requestBody?.content ?? {}
  const jsonBody = content[JSON_TYPE] ? resolveAll(content[JSON_TYPE].schema, document) : null
  let validate: ValidateFunction | null = null
  return {
    name: `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase(),
    path,
    parameters: (documented.parameters ?? []).map((parameter) => ({
      ...parameter,
      schema: resolveAll(parameter.schema, document),
    })),
    jsonBody,
    bodyRequired: documented.requestBody?.required ?? false,
    streams: Object.keys(content).filter((type) => type !== JSON_TYPE),
    statuses: new Set(Object.keys(documented.responses).map(Number)),
    isPublic: documented.security?.length === 0,
    acceptsBody(value) {
      if (jsonBody === null) return true
      validate ??= ajv.compile(jsonBody)
      return validate(value)
    },
  }
}

/** References put in place; the document has no schema that holds itself in a request. */
function resolveAll(schema: unknown, document: ApiDocument, depth = 0): Schema {
  if (depth > 20) return {}
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve)
    if (value === null || typeof value !== 'object') return value
    return resolveAll(value, document, depth + 1)
  }
  const { $ref, ...rest } = schema as Record<string, unknown>
  if (typeof $ref === 'string') {
    return resolveAll(document.components.schemas[$ref.split('/').at(-1)!], document, depth + 1)
  }
  return Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, resolve(value)]))
}
