import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { expect } from 'chai'

import { createTokens } from '../../src/security/tokens.ts'

/** An HTTP client for tests. Every answer is checked against the document the service gives out. */
export interface TestClient {
  as(user: { uuid: string }): TestClient
  withHeaders(headers: Readonly<Record<string, string>>): TestClient
  get(path: string): Promise<TestResponse>
  post(path: string, body?: unknown): Promise<TestResponse>
  patch(path: string, body?: unknown): Promise<TestResponse>
  delete(path: string, body?: unknown): Promise<TestResponse>
  request(method: string, path: string, body?: RequestBody): Promise<TestResponse>
  /** For calls that this client is too well-behaved for. */
  token(): Promise<string>
}

export interface TestResponse {
  readonly status: number
  readonly headers: Headers
  /** Parsed JSON, else null. Tests look into it freely; its shape is checked by the document. */
  readonly body: ReturnType<typeof JSON.parse>
  readonly text: string
}

export interface RequestBody {
  readonly content: RequestInit['body']
  readonly type?: string
}

export function createClient(address: string, authSecret: string): TestClient {
  let document: Promise<DocumentedAnswers> | undefined
  const tokens = createTokens({
    keys: { kind: 'secret', secret: authSecret },
    issuer: null,
    audience: null,
    ttlMs: 3_600_000,
  })

  const make = (
    user: { uuid: string } | null,
    headers: Readonly<Record<string, string>>,
  ): TestClient => {
    async function request(
      method: string,
      path: string,
      body?: RequestBody,
    ): Promise<TestResponse> {
      const sent = new Headers(headers)
      if (user && !sent.has('x-app-access-token')) {
        sent.set('x-app-access-token', (await tokens.issue(user.uuid)).token)
      }
      if (body?.type) sent.set('content-type', body.type)
      const response = await fetch(address + path, {
        method,
        headers: sent,
        redirect: 'manual',
        ...(body?.content !== undefined && { body: body.content, duplex: 'half' as const }),
      })
      const text = await response.text()
      const isJson = /[/+]json/.test(response.headers.get('content-type') ?? '')
      const answer = {
        status: response.status,
        headers: response.headers,
        body: isJson && text !== '' ? (JSON.parse(text) as unknown) : null,
        text,
      }
      const documented = await (document ??= documentOf(address))
      documented.check(method, path, answer)
      return answer
    }
    const json = (body: unknown): RequestBody | undefined =>
      body === undefined ? undefined : { content: JSON.stringify(body), type: 'application/json' }
    return {
      as: (other) => make(other, headers),
      withHeaders: (more) => make(user, { ...headers, ...more }),
      request,
      token: async () => (user ? (await tokens.issue(user.uuid)).token : ''),
      get: (path) => request('GET', path),
      post: (path, body) => request('POST', path, json(body)),
      patch: (path, body) => request('PATCH', path, json(body)),
      delete: (path, body) => request('DELETE', path, json(body)),
    }
  }
  return make(null, { 'accept-language': 'en' })
}

const PROBLEM = 'application/problem+json'

interface DocumentedAnswer {
  /** Where it stands, for what many operations answer alike. */
  $ref?: string
  content?: Record<string, { examples?: Record<string, unknown> }>
}

interface OpenApiDocument {
  paths: Record<string, Record<string, { responses: Record<string, DocumentedAnswer> }>>
  components: { responses: Record<string, DocumentedAnswer> }
}

/** To read one takes longer than most tests, and nearly every service gives out the same. */
const documents = new Map<string, DocumentedAnswers>()

async function documentOf(address: string): Promise<DocumentedAnswers> {
  const text = await (await fetch(`${address}/openapi.json`)).text()
  const known = documents.get(text) ?? new DocumentedAnswers(JSON.parse(text) as OpenApiDocument)
  documents.set(text, known)
  return known
}

/** Fails a test whose answer is not what the OpenAPI document promises. */
class DocumentedAnswers {
  readonly #document: OpenApiDocument
  readonly #templates: readonly (readonly [template: string, pattern: RegExp])[]
  readonly #ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })
  readonly #validators = new Map<string, ValidateFunction>()

  constructor(document: OpenApiDocument) {
    this.#document = document
    // Fixed paths first, as the service takes them.
    this.#templates = Object.keys(document.paths)
      .toSorted()
      .map((template) => [template, patternOf(template)])
    this.#ajv.addSchema({ $id: 'api', ...document })
  }

  check(method: string, path: string, answer: TestResponse): void {
    const document = this.#document
    const pathname = path.split('?')[0]!
    const template = this.#templates.find(([, pattern]) => pattern.test(pathname))?.[0]
    const operation = template && document.paths[template]![method.toLowerCase()]
    if (!operation) {
      expect(answer.status, `${method} ${path} is not documented`).to.be.oneOf([401, 404, 405])
      return
    }
    expect(
      Object.keys(operation.responses),
      `${method} ${template} does not document this: ${answer.text.slice(0, 500)}`,
    ).to.include(String(answer.status))
    const { $ref } = operation.responses[answer.status]!
    const response = $ref
      ? document.components.responses[$ref.split('/').at(-1)!]!
      : operation.responses[answer.status]!
    const type = answer.headers.get('content-type')?.split(';')[0] ?? ''
    if (answer.text !== '') {
      expect(
        Object.keys(response.content ?? {}),
        `${method} ${template} ${answer.status} does not document this content type`,
      ).to.include(type)
    }
    if (answer.body === null) return
    if (type === PROBLEM) {
      expect(
        Object.keys(response.content?.[type]?.examples ?? {}),
        `${method} ${template} ${answer.status} does not document this code`,
      ).to.include(answer.body.code)
    }
    const place =
      $ref ?? pointer('paths', template, method.toLowerCase(), 'responses', answer.status)
    const reference = `api${place}${pointer('content', type, 'schema').slice(1)}`
    let validate = this.#validators.get(reference)
    if (!validate) {
      validate = this.#ajv.compile({ $ref: reference })
      this.#validators.set(reference, validate)
    }
    validate(answer.body)
    expect(
      validate.errors ?? [],
      `${method} ${template} ${answer.status} is not as documented`,
    ).to.deep.equal([])
  }
}

const pointer = (...parts: (string | number)[]) =>
  `#/${parts.map((part) => encodeURIComponent(String(part).replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`

function patternOf(template: string): RegExp {
  const pattern = template
    .split('/')
    .map((part) => (part.startsWith('{') ? '[^/]+' : part.replaceAll('.', '\\.')))
    .join('/')
  return new RegExp(`^${pattern}$`)
}
