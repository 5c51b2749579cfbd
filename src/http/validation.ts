import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import type { TSchema } from 'typebox'

import { type FieldError, invalidFields } from '../errors/index.ts'
import { isInstant } from '../time/instant.ts'
import {
  SCHEMA_DOCUMENTED,
  SCHEMA_EXAMPLES,
  SCHEMA_FIXED,
  SCHEMA_NAME,
} from '../resources/schema.ts'
import { TEXT_FORMATS } from './text-formats.ts'
import { validationMessage, validationMessages } from './validation-messages.ts'

const ERRORS_SHOWN = 100
/** Whoever sends more is told of the first flaw alone: to find all of 300,000 takes a second. */
const MOST_VALUES = 20_000
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

const OWN_FORMATS = Object.fromEntries(
  Object.entries(TEXT_FORMATS).map(([name, { accepts }]) => [name, accepts ?? true]),
)

const FORMATS = {
  ...OWN_FORMATS,
  uuid: (text: string) => UUID.test(text),
  'date-time': isInstant,
  uri: true,
  // The domain trims it, as the command line does.
  email: (text: string) => /^\s*[^\s@]{1,64}@[^\s@]{1,190}\s*$/.test(text),
  binary: true,
} as const

type RequestPart = 'body' | 'query' | 'path'

export interface Validators {
  /** Checks, fills in defaults, and returns the value; throws a ValidationException. */
  check(part: RequestPart, schema: TSchema, value: unknown): unknown
}

export function createValidators(): Validators {
  return {
    check(part, schema, given) {
      const value = part === 'body' ? given : readTextValues(schema, given as object)
      const validate = (holdsMore(value, MOST_VALUES) ? compileForFirst : compileForAll)(schema)
      if (validate(value)) return value
      throw invalidFields(fieldErrors(part, validate.errors ?? []))
    },
  }
}

const compileForAll = createCompiler({ allErrors: true })
const compileForFirst = createCompiler({ allErrors: false })

/** A schema means the same to everybody: it is compiled once a process, when it is first asked for. */
function createCompiler(options: { readonly allErrors: boolean }) {
  let ajv: Ajv2020 | undefined
  return (schema: TSchema): ValidateFunction => (ajv ??= createAjv(options)).compile(schema)
}

/** Whether a value of JSON, which is not nested deeply, has more than so many in it. */
function holdsMore(value: unknown, most: number): boolean {
  let left = most
  const holds = (held: unknown): boolean => {
    if (typeof held !== 'object' || held === null) return false
    const inner = Array.isArray(held) ? held : Object.values(held)
    left -= inner.length
    return left < 0 || inner.some(holds)
  }
  return holds(value)
}

/** The examples of the OpenAPI document are checked with it, too. */
export function createAjv({ allErrors = true } = {}): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors,
    // Messages are made from the contents of the schema, too.
    verbose: true,
    useDefaults: true,
    strict: true,
    strictTypes: false,
    allowUnionTypes: true,
    discriminator: true,
    formats: FORMATS,
  })
  ajv.addVocabulary([SCHEMA_NAME, SCHEMA_EXAMPLES, SCHEMA_FIXED, SCHEMA_DOCUMENTED])
  return ajv
}

function fieldErrors(part: RequestPart, errors: readonly ErrorObject[]): FieldError[] {
  const prefix = part === 'body' ? '' : `/${part}`
  const byPointer = new Map<string, [ErrorObject, ...ErrorObject[]]>()
  for (const error of errors.slice(0, ERRORS_SHOWN)) {
    // The enumeration of the variants has already reported the tag.
    if (error.keyword === 'discriminator') continue
    const pointer = prefix + fieldPointer(error)
    const others = byPointer.get(pointer)
    if (others === undefined) byPointer.set(pointer, [error])
    else others.push(error)
  }
  return [...byPointer].map(([pointer, told]) => ({ pointer, message: messageFor(part, told) }))
}

/** No parameter of an address is a list: one that comes as such was given more than once. */
const messageFor = (part: RequestPart, told: readonly [ErrorObject, ...ErrorObject[]]) =>
  part === 'query' && Array.isArray(told[0].data)
    ? validationMessages.repeated()
    : validationMessage(told)

function fieldPointer(error: ErrorObject): string {
  const { missingProperty, additionalProperty, unevaluatedProperty } = error.params as Record<
    string,
    string | undefined
  >
  const property = missingProperty ?? additionalProperty ?? unevaluatedProperty
  return property === undefined
    ? error.instancePath
    : `${error.instancePath}/${property.replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/** An integer consists of digits only: `Number` would also accept `0x10`, `1e3`, `Infinity` and blanks. */
const INTEGER = /^-?\d{1,16}$/

const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  integer: (text) => (INTEGER.test(text) ? Number(text) : text),
  boolean: (text) => (text === 'true' ? true : text === 'false' ? false : text),
}

/** `filter[Montant TTC]`; the route interprets what is in the brackets. */
const MEMBER = /^(\w+)\[([^]*)\]$/

/**
 * Reads the values of an address as the schema says. A value that cannot be read stays text, which
 * the schema then refuses. For an object in the schema, the members come as `name[member]`.
 */
function readTextValues(schema: TSchema, values: object): Record<string, unknown> {
  const properties = (schema as { properties?: Record<string, { type?: unknown }> }).properties
  const read = (name: string, value: unknown) => {
    const reader = READERS[String(properties?.[name]?.type)]
    return reader && typeof value === 'string' ? reader(value) : value
  }
  const result = Object.create(null) as Record<string, unknown>
  for (const [name, value] of Object.entries(values)) {
    const [, object, member] = (name.endsWith(']') && MEMBER.exec(name)) || []
    const isMember = object !== undefined && properties?.[object]?.type === 'object'
    // Text under the name of an object is left for the schema to refuse.
    if (isMember && typeof result[object] !== 'string') {
      const members = (result[object] ??= Object.create(null)) as Record<string, unknown>
      members[member!] = value
    } else {
      result[name] = read(name, value)
    }
  }
  return result
}
