/** As much of JSON Schema as our document uses. */
export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly allOf?: readonly JsonSchema[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly patternProperties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | JsonSchema
  readonly items?: JsonSchema
}

const PLAIN: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
}

/** A schema as the text of a TypeScript type. */
export function typeOf(schema: JsonSchema, indent: string): string {
  if (schema.$ref !== undefined) return `Schemas['${schema.$ref.split('/').at(-1)!}']`
  if (schema.const !== undefined) return literal(schema.const)
  if (schema.enum !== undefined) return schema.enum.map(literal).join(' | ')
  const union = schema.anyOf ?? schema.oneOf
  if (union !== undefined) return joined(union, ' | ', indent)
  if (schema.allOf !== undefined) return joined(schema.allOf, ' & ', indent)
  if (schema.properties !== undefined || schema.type === 'object') return objectType(schema, indent)
  if (schema.type === 'array') return `readonly ${grouped(typeOf(schema.items ?? {}, indent))}[]`
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? [])
  return types.length === 0 ? 'unknown' : types.map((type) => PLAIN[type] ?? 'unknown').join(' | ')
}

function objectType(schema: JsonSchema, indent: string): string {
  const { properties = {}, required = [], additionalProperties, patternProperties = {} } = schema
  const inner = `${indent}  `
  const members = Object.entries(properties).map(
    ([name, member]) =>
      `${inner}${propertyName(name)}${required.includes(name) ? '' : '?'}: ${typeOf(member, inner)}`,
  )
  const [others] = Object.values(patternProperties)
  if (members.length > 0) return `{\n${members.join('\n')}\n${indent}}`
  if (others !== undefined) return `Record<string, ${typeOf(others, indent)}>`
  return additionalProperties === false ? 'Record<string, never>' : 'Record<string, unknown>'
}

function joined(schemas: readonly JsonSchema[], sign: string, indent: string): string {
  const types = schemas.map((schema) => typeOf(schema, indent))
  return types.includes('unknown') ? 'unknown' : types.map(grouped).join(sign)
}

/** What binds less than what it is put into. */
const grouped = (type: string) => (/^[^{]* [|&] /.test(type) ? `(${type})` : type)

const propertyName = (name: string) => (/^[a-z_]\w*$/i.test(name) ? name : literal(name))

const literal = (value: unknown) =>
  typeof value === 'string' ? `'${value.replaceAll("'", String.raw`\'`)}'` : JSON.stringify(value)
