import { gzipSync } from 'node:zlib'

import type { SeededRandom } from '../../support/seeded-random.ts'
import type { Operation, Parameter } from './operations.ts'
import { ADDRESS_TEXTS, BROKEN_BODIES, BROKEN_ENCODINGS, hostileText } from './values.ts'
import { wholesome } from './wholesome.ts'

/** One request with something wrong in it. */
export interface Attack {
  readonly what: string
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | null
  /** The document says that this cannot be taken. */
  readonly mustBeRefused: boolean
}

interface Draft {
  what: string
  method: string
  params: Record<string, string>
  query: string[]
  headers: Record<string, string>
  body: Buffer | null
  mustBeRefused: boolean
}

/** Spoils the draft, or says that there is nothing here for it to spoil. */
type Spoil = (draft: Draft, operation: Operation, random: SeededRandom) => boolean

export type FindUuid = (path: string, random: SeededRandom) => string

export function makeAttack(operation: Operation, random: SeededRandom, findUuid: FindUuid): Attack {
  const draft = wholesomeDraft(operation, random, findUuid)
  for (let attempt = 0; attempt < 20; attempt++) {
    if (random.pick(SPOILS)(draft, operation, random)) break
  }
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => draft.params[name] ?? '')
  const query = draft.query.length > 0 ? `?${draft.query.join('&')}` : ''
  return { ...draft, path: path + query }
}

function wholesomeDraft(operation: Operation, random: SeededRandom, findUuid: FindUuid): Draft {
  const draft: Draft = {
    what: 'nothing wrong',
    method: operation.method,
    params: {},
    query: [],
    headers: {},
    body: null,
    mustBeRefused: false,
  }
  for (const parameter of operation.parameters) {
    if (parameter.in === 'path') draft.params[parameter.name] = findUuid(operation.path, random)
    if (parameter.in === 'query' && (parameter.required || random.chance(0.2))) {
      draft.query.push(
        `${parameter.name}=${encodeURIComponent(String(wholesome(parameter.schema, random)))}`,
      )
    }
  }
  if (operation.jsonBody) putJson(draft, JSON.stringify(wholesome(operation.jsonBody, random)))
  else if (operation.streams.length > 0) putForm(draft, wholesomeParts())
  return draft
}

function putJson(draft: Draft, text: string | Buffer): void {
  draft.body = Buffer.from(text as string)
  draft.headers['content-type'] = 'application/json'
}

const BOUNDARY = 'trust-boundary'

function wholesomeParts(): string[] {
  return [
    part('name="source"', 'file'),
    part('name="name"', 'Hostile'),
    part('name="tableName"', 'hostile'),
    part('name="file"; filename="a.csv"', 'a,b\r\n1,2\r\n'),
  ]
}

const part = (disposition: string, content: string) =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`

function putForm(draft: Draft, parts: readonly string[], end = `--${BOUNDARY}--\r\n`): void {
  draft.body = Buffer.from(parts.join('') + end)
  draft.headers['content-type'] = `multipart/form-data; boundary=${BOUNDARY}`
}

function fieldsOf(operation: Operation): string[] {
  const schema = operation.jsonBody
  if (!schema) return []
  const variants = (schema['oneOf'] ?? schema['anyOf'] ?? [schema]) as readonly Record<
    string,
    unknown
  >[]
  return [...new Set(variants.flatMap((variant) => Object.keys(variant['properties'] ?? {})))]
}

/** The text with one field replaced by text that may be no value of JavaScript at all. */
function withField(body: Record<string, unknown>, field: string, text: string): string {
  const entries = Object.entries(body)
    .filter(([name]) => name !== field)
    .map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
  return `{${[...entries, `${JSON.stringify(field)}:${text}`].join(',')}}`
}

const spoilField: Spoil = (draft, operation, random) => {
  const fields = fieldsOf(operation)
  if (fields.length === 0) return false
  const field = random.pick(fields)
  const { name, text } = hostileText(random)
  const whole = wholesome(operation.jsonBody!, random) as Record<string, unknown>
  const body = withField(whole, field, text)
  draft.what = `${name} in ${field}`
  draft.mustBeRefused =
    /\\u0000|\\ud800|\\udc00/.test(text) || !operation.acceptsBody(JSON.parse(body))
  putJson(draft, body)
  return true
}

const addField: Spoil = (draft, operation, random) => {
  if (!operation.jsonBody) return false
  const field = random.pick(['__proto__', 'constructor', 'toString', 'isAdmin', 'role', 'id', ''])
  const whole = wholesome(operation.jsonBody, random) as Record<string, unknown>
  draft.what = `the unknown field ${field}`
  draft.mustBeRefused = true
  putJson(draft, withField(whole, field, '{"a":1}'))
  return true
}

const dropField: Spoil = (draft, operation, random) => {
  if (!operation.jsonBody) return false
  const whole = wholesome(operation.jsonBody, random) as Record<string, unknown>
  const names = Object.keys(whole)
  if (names.length === 0) return false
  const name = random.pick(names)
  delete whole[name]
  draft.what = `without ${name}`
  draft.mustBeRefused = !operation.acceptsBody(whole)
  putJson(draft, JSON.stringify(whole))
  return true
}

const breakBody: Spoil = (draft, operation, random) => {
  if (!operation.jsonBody) return false
  const [name, body] = random.pick(random.chance(0.7) ? BROKEN_BODIES : BROKEN_ENCODINGS)
  draft.what = `a body of ${name}`
  draft.mustBeRefused = operation.bodyRequired || body.toString().trim() !== ''
  putJson(draft, body)
  return true
}

const TYPES = [
  'text/plain',
  'application/xml',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'multipart/form-data; boundary=',
  'application/json; charset=utf-16',
  'application/json; charset=nonsense',
  '*/*',
  'application/json/json',
  'x'.repeat(3000),
  '; charset',
]

const spoilType: Spoil = (draft, operation, random) => {
  if (!draft.body) return false
  const type = random.pick(TYPES)
  draft.headers['content-type'] = type
  draft.what = `content type ${type.slice(0, 60)}`
  draft.mustBeRefused = operation.streams.length === 0 && !/^application\/json(;|$)/.test(type)
  return true
}

const spoilEncoding: Spoil = (draft, operation, random) => {
  if (!draft.body || operation.streams.length > 0) return false
  const bomb = gzipSync(Buffer.alloc(20 * 1024 * 1024, ' '))
  const [encoding, body] = random.pick<readonly [string, Buffer]>([
    ['gzip', draft.body],
    ['gzip', bomb],
    ['deflate', Buffer.from('nonsense')],
    ['br', Buffer.from('nonsense')],
    ['zstd', draft.body],
    ['nonsense', draft.body],
    ['gzip, gzip', bomb],
  ])
  draft.headers['content-encoding'] = encoding
  draft.body = body
  draft.what = `content encoding ${encoding}`
  draft.mustBeRefused = true
  return true
}

const spoilPath: Spoil = (draft, operation, random) => {
  const names = Object.keys(draft.params)
  if (names.length === 0) return false
  const name = random.pick(names)
  const text = random.pick(ADDRESS_TEXTS)
  draft.params[name] = text
  draft.what = `${text.slice(0, 40) || 'nothing'} as ${name}`
  // With nothing there the address is that of the list.
  draft.mustBeRefused = text !== '' && schemaOf(operation, name)['format'] === 'uuid'
  return true
}

const schemaOf = (operation: Operation, name: string) =>
  operation.parameters.find((parameter) => parameter.name === name)?.schema ?? {}

const spoilQuery: Spoil = (draft, operation, random) => {
  const parameters = operation.parameters.filter((parameter) => parameter.in === 'query')
  if (parameters.length === 0) return false
  const parameter = random.pick(parameters)
  const text = random.pick(ADDRESS_TEXTS)
  draft.query.push(`${parameter.name}=${text}`)
  draft.what = `${text.slice(0, 40) || 'nothing'} as ?${parameter.name}`
  draft.mustBeRefused = isNoInteger(parameter, text)
  return true
}

const isNoInteger = ({ schema }: Parameter, text: string) =>
  schema['type'] === 'integer' && !/^\d+$/.test(text)

const strangeQuery: Spoil = (draft, _operation, random) => {
  const [what, query] = random.pick<readonly [string, string]>([
    ['an unknown parameter', 'nonsense=1'],
    ['__proto__', '__proto__=1'],
    ['brackets', 'page[gt]=1&page[]=2'],
    ['a thousand parameters', Array.from({ length: 1000 }, (_, at) => `p${at}=1`).join('&')],
    ['a repeated parameter', 'page=1&page=2'],
    ['equal signs', 'a=b=c==='],
    ['broken escapes', 'a=%E0%A4%A&%=%'],
  ])
  draft.query.push(query)
  draft.what = `query with ${what}`
  draft.mustBeRefused = true
  return true
}

const HEADERS: readonly (readonly [name: string, value: string])[] = [
  ['idempotency-key', 'x'.repeat(300)],
  ['idempotency-key', 'tab\there'],
  ['idempotency-key', 'caf\u00e9'],
  ['x-request-id', '{"level":60}'],
  ['x-request-id', 'x'.repeat(5000)],
  ['x-app-access-token', 'eyJhbGciOiJub25lIn0.e30.'],
  ['x-app-access-token', 'x'.repeat(7000)],
  ['authorization', 'Basic YTpi'],
  ['authorization', 'Bearer'],
  ['prefer', 'respond-async=;;;,,,='],
  ['prefer', 'wait=-1'],
  ['accept', 'application/xml;q=nonsense'],
  ['accept-encoding', 'identity;q=0, *;q=0'],
  ['if-none-match', '"'.repeat(2000)],
  ['if-modified-since', 'yesterday'],
  ['range', 'bytes=-1-,5-2,99999999999999-'],
  ['last-event-id', "'; drop table jobs"],
  ['x-forwarded-for', '127.0.0.1, ::1, nonsense'],
  ['host', 'attacker.test'],
  ['origin', 'null'],
  ['x-http-method-override', 'DELETE'],
  ['content-disposition', 'attachment'],
  ['x-filename', '%E0%A4%A'],
  ['x-folder-uuid', '../..'],
]

const spoilHeader: Spoil = (draft, _operation, random) => {
  const [name, value] = random.pick(HEADERS)
  draft.headers[name] = value
  draft.what = `${name}: ${value.slice(0, 40)}`
  return true
}

const spoilMethod: Spoil = (draft, operation, random) => {
  draft.method = random.pick([
    'PUT',
    'PATCH',
    'OPTIONS',
    'HEAD',
    'DELETE',
    'TRACE',
    'PROPFIND',
    'POST',
  ])
  draft.what = `method ${draft.method}`
  return draft.method !== operation.method
}

const spoilForm: Spoil = (draft, operation, random) => {
  if (operation.streams.length === 0) return false
  const parts = wholesomeParts()
  const manglings: readonly (readonly [string, () => void])[] = [
    ['no end', () => putForm(draft, parts, '')],
    ['the file first', () => putForm(draft, parts.toReversed())],
    ['two files', () => putForm(draft, [...parts, parts.at(-1)!])],
    ['a field twice', () => putForm(draft, [parts[1]!, ...parts])],
    ['a field __proto__', () => putForm(draft, [part('name="__proto__"', 'x'), ...parts])],
    ['a nameless part', () => putForm(draft, [part('', 'x'), ...parts])],
    [
      'a hundred fields',
      () =>
        putForm(draft, [
          ...Array.from({ length: 100 }, (_, at) => part(`name="f${at}"`, 'x')),
          ...parts,
        ]),
    ],
    ['a field of a megabyte', () => putForm(draft, [part('name="name"', 'x'.repeat(1_100_000))])],
    [
      'a name with line breaks',
      () =>
        putForm(draft, [
          ...parts.slice(0, 3),
          part('name="file"; filename="a\r\nX-Evil: 1.csv"', 'a,b\n1,2'),
        ]),
    ],
    [
      'a name with a path',
      () =>
        putForm(draft, [
          ...parts.slice(0, 3),
          part('name="file"; filename="../../evil.csv"', 'a,b\n1,2'),
        ]),
    ],
    [
      'no bytes in the file',
      () => putForm(draft, [...parts.slice(0, 3), part('name="file"; filename="a.csv"', '')]),
    ],
    [
      'broken options',
      () =>
        putForm(draft, [
          ...parts.slice(0, 3),
          part('name="options"', '{"columns":{"__proto__":1}'),
          parts[3]!,
        ]),
    ],
    [
      'a deep options',
      () =>
        putForm(draft, [
          ...parts.slice(0, 3),
          part('name="options"', '['.repeat(60_000)),
          parts[3]!,
        ]),
    ],
    [
      'an empty table name',
      () => putForm(draft, [parts[0]!, parts[1]!, part('name="tableName"', ''), parts[3]!]),
    ],
    [
      'a table name that is SQL',
      () =>
        putForm(draft, [
          parts[0]!,
          parts[1]!,
          part('name="tableName"', 'a"; drop table users'),
          parts[3]!,
        ]),
    ],
    ['nothing at all', () => putForm(draft, [])],
    ['random bytes', () => putForm(draft, [Buffer.from([0, 255, 1, 254]).toString('latin1')])],
  ]
  const [what, mangle] = random.pick(manglings)
  mangle()
  draft.what = `a form with ${what}`
  return true
}

const SPOILS: readonly Spoil[] = [
  spoilField,
  spoilField,
  spoilField,
  spoilField,
  addField,
  dropField,
  breakBody,
  spoilType,
  spoilEncoding,
  spoilPath,
  spoilQuery,
  spoilQuery,
  strangeQuery,
  spoilHeader,
  spoilMethod,
  spoilForm,
  spoilForm,
]
