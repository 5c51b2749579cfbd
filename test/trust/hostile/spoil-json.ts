import type { Spoil } from './attack.ts'
import { putJson } from './draft.ts'
import type { Operation } from './operations.ts'
import { BROKEN_BODIES, BROKEN_ENCODINGS, hostileText } from './values.ts'
import { wholesome } from './wholesome.ts'

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

export const spoilField: Spoil = (draft, operation, random) => {
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

export const addField: Spoil = (draft, operation, random) => {
  if (!operation.jsonBody) return false
  const field = random.pick(['__proto__', 'constructor', 'toString', 'isAdmin', 'role', 'id', ''])
  const whole = wholesome(operation.jsonBody, random) as Record<string, unknown>
  draft.what = `the unknown field ${field}`
  draft.mustBeRefused = true
  putJson(draft, withField(whole, field, '{"a":1}'))
  return true
}

export const dropField: Spoil = (draft, operation, random) => {
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

export const breakBody: Spoil = (draft, operation, random) => {
  if (!operation.jsonBody) return false
  const [name, body] = random.pick(random.chance(0.7) ? BROKEN_BODIES : BROKEN_ENCODINGS)
  draft.what = `a body of ${name}`
  draft.mustBeRefused = operation.bodyRequired || body.toString().trim() !== ''
  putJson(draft, body)
  return true
}
