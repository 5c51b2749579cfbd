import type { ValidateFunction } from 'ajv'

import { createAjv } from '../../src/http/validation.ts'

type Schema = Readonly<Record<string, unknown>>

interface Reference {
  readonly $ref: string
}
interface Example {
  readonly value: unknown
}
interface Media {
  readonly schema: Schema
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, Example | Reference>>
}
interface Content {
  readonly content?: Readonly<Record<string, Media>>
}
interface Parameter {
  readonly name: string
  readonly schema: Schema
}
interface Operation {
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: Content
  readonly responses: Readonly<Record<string, Content | Reference>>
}
export interface ExampleDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas?: Readonly<Record<string, Schema>>
    readonly examples?: Readonly<Record<string, Example>>
    readonly responses?: Readonly<Record<string, Content>>
  }
}

const SHOWS_ONE = /^(?:application\/(?:problem\+)?json|multipart\/form-data)$/

/**
 * What is wrong with the examples of an OpenAPI document: those that do not fit their schema, as the
 * service itself checks it, those that are missing, and those that nothing shows.
 */
export function exampleFaults(document: ExampleDocument): string[] {
  const { paths, components } = document
  const faults: string[] = []
  const mismatch = createMismatch(components.schemas ?? {})
  const shown = new Set<unknown>()

  const resolve = <T>(named: Readonly<Record<string, T>> = {}, given: T | Reference): T =>
    isReference(given) ? named[given.$ref.split('/').at(-1)!]! : given
  const fit = (where: string, schema: Schema, value: unknown) => {
    const message = mismatch(schema, value)
    if (message !== null) faults.push(`${where}: ${message}`)
  }
  const checkMedia = (where: string, type: string, media: Media): unknown[] => {
    const examples = Object.values(media.examples ?? {}).map((one) =>
      resolve(components.examples, one),
    )
    for (const example of examples) shown.add(example)
    const values = examples.map(({ value }) => value)
    if (media.example !== undefined) values.push(media.example)
    for (const value of values) fit(where, media.schema, value)
    if (values.length === 0 && SHOWS_ONE.test(type)) faults.push(`${where} has no example`)
    return values
  }

  /** The documentation page fills a form in from the examples of its fields, else with noise. */
  const checkFields = (where: string, form: Schema) => {
    const { properties = {} } = resolve(components.schemas, form)
    for (const [name, given] of Object.entries(properties as Record<string, Schema>)) {
      const field = resolve(components.schemas, given)
      const known = field['format'] === 'binary' || isObvious(field)
      if (!known && schemaExamples(field).length === 0) {
        faults.push(`${where}, field ${name} has no example`)
      }
    }
  }

  for (const [name, operation] of operationsOf(paths)) {
    for (const { name: parameter, schema } of operation.parameters ?? []) {
      const where = `${name}, parameter ${parameter}`
      const examples = schemaExamples(schema)
      for (const value of examples) fit(where, schema, value)
      if (examples.length === 0 && !isObvious(schema)) faults.push(`${where} has no example`)
    }
    for (const [type, media] of Object.entries(operation.requestBody?.content ?? {})) {
      checkMedia(`${name}, body ${type}`, type, media)
      if (type === 'multipart/form-data') checkFields(`${name}, body ${type}`, media.schema)
    }
    for (const [status, response] of Object.entries(operation.responses)) {
      const { content = {} } = resolve(components.responses, response)
      for (const [type, media] of Object.entries(content)) {
        const where = `${name}, ${status} ${type}`
        const values = checkMedia(where, type, media)
        if (type !== 'application/problem+json') continue
        for (const problem of values as { status: number }[]) {
          if (problem.status !== Number(status)) faults.push(`${where} shows ${problem.status}`)
        }
      }
    }
  }
  for (const [name, schema] of Object.entries(components.schemas ?? {})) {
    visitSchemas(schema, `schema ${name}`, (where, inner) => {
      for (const value of schemaExamples(inner)) fit(where, inner, value)
    })
  }
  for (const [name, example] of Object.entries(components.examples ?? {})) {
    if (!shown.has(example)) faults.push(`Nothing shows the example ${name}`)
  }
  return faults
}

const operationsOf = (paths: ExampleDocument['paths']) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const,
    ),
  )

const isReference = (given: unknown): given is Reference =>
  typeof given === 'object' && given !== null && '$ref' in given

const schemaExamples = ({ examples }: Schema) => (Array.isArray(examples) ? examples : [])

/** Its few values are listed, or it has a default that shows one. */
const isObvious = (schema: Schema) =>
  ['enum', 'const', 'default'].some((key) => key in schema) || schema['type'] === 'boolean'

function visitSchemas(
  value: unknown,
  where: string,
  visit: (where: string, schema: Schema) => void,
): void {
  if (value === null || typeof value !== 'object') return
  if (!Array.isArray(value)) visit(where, value as Schema)
  for (const [key, member] of Object.entries(value)) {
    if (key !== 'examples') visitSchemas(member, `${where}/${key}`, visit)
  }
}

/** Says why a value does not fit, or null; with the settings that the service checks requests with. */
function createMismatch(schemas: Readonly<Record<string, Schema>>) {
  const ajv = createAjv()
  const absolute = (schema: Schema) =>
    JSON.parse(
      JSON.stringify(schema).replaceAll('"#/components/schemas/', '"urn:schema:'),
    ) as Schema
  for (const [name, schema] of Object.entries(schemas)) {
    ajv.addSchema({ $id: `urn:schema:${name}`, ...absolute(schema) })
  }
  const compiled = new Map<string, ValidateFunction>()
  return (schema: Schema, value: unknown): string | null => {
    const key = JSON.stringify(schema)
    const validate = compiled.get(key) ?? ajv.compile(absolute(schema))
    compiled.set(key, validate)
    // Checking fills in defaults.
    return validate(structuredClone(value)) ? null : ajv.errorsText(validate.errors)
  }
}
