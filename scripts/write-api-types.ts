import { readFileSync } from 'node:fs'

import { writeOrCheck } from './generated-file.ts'
import { typeOf, type JsonSchema } from './schema-types.ts'

/** The types of the tests' client, from the document that the service gives out. */
interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly schema: JsonSchema
}

type Content = Readonly<Record<string, { readonly schema: JsonSchema }>>

interface Answer {
  readonly content?: Content
}

interface Operation {
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly required?: boolean; readonly content: Content }
  readonly responses: Readonly<Record<string, Answer | { readonly $ref: string }>>
}

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>
    readonly responses: Readonly<Record<string, Answer>>
  }
}

const path = new URL('../docs/openapi.json', import.meta.url)
const document = JSON.parse(readFileSync(path, 'utf8')) as OpenApi

const schemas = Object.entries(document.components.schemas).map(
  ([name, schema]) => `  ${name}: ${typeOf(schema, '  ')}`,
)
const operations = Object.entries(document.paths).flatMap(([address, methods]) =>
  Object.entries(methods).map(
    ([method, operation]) =>
      `  '${method.toUpperCase()} ${address}': ${operationType(operation, '  ')}`,
  ),
)

writeOrCheck(
  'test/support/api-types.ts',
  `// Written by scripts/write-api-types.ts from docs/openapi.json.

interface Schemas {
${schemas.join('\n')}
}

export interface Operations {
${operations.join('\n')}
}
`,
)

function operationType(operation: Operation, indent: string): string {
  const inner = `${indent}  `
  const answers = Object.entries(operation.responses).map(
    ([status, answer]) => `${inner}  ${status}: ${answerType(answer, `${inner}  `)}`,
  )
  return [
    '{',
    `${inner}params: ${parametersType(operation, 'path', inner)}`,
    `${inner}query: ${parametersType(operation, 'query', inner)}`,
    `${inner}body: ${bodyType(operation, inner)}`,
    `${inner}answers: {`,
    ...answers,
    `${inner}}`,
    `${indent}}`,
  ].join('\n')
}

function parametersType({ parameters = [] }: Operation, place: string, indent: string): string {
  const chosen = parameters.filter((parameter) => parameter.in === place)
  return typeOf(
    {
      type: 'object',
      properties: Object.fromEntries(chosen.map(({ name, schema }) => [name, schema])),
      required: chosen.filter(({ required }) => required).map(({ name }) => name),
      additionalProperties: false,
    },
    indent,
  )
}

/** A form goes as FormData; anything that is neither form nor JSON as the bytes it is. */
function bodyType({ requestBody }: Operation, indent: string): string {
  if (requestBody === undefined) return 'undefined'
  const types = Object.entries(requestBody.content).map(([type, { schema }]) => {
    if (type === 'application/json') return typeOf(schema, indent)
    return type === 'multipart/form-data' ? 'FormData' : 'Blob'
  })
  return [...types, ...(requestBody.required ? [] : ['undefined'])].join(' | ')
}

function answerType(answer: Operation['responses'][string], indent: string): string {
  const { content } =
    '$ref' in answer ? document.components.responses[answer.$ref.split('/').at(-1)!]! : answer
  if (content === undefined) return 'null'
  const [type, { schema }] = Object.entries(content)[0]!
  return type.includes('json') ? typeOf(schema, indent) : 'string'
}
