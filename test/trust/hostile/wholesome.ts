import { randomUUID } from 'node:crypto'

import type { SeededRandom } from '../../support/seeded-random.ts'
import type { Schema } from './operations.ts'

/** A value that the schema accepts: what an attack then spoils in one place. */
export function wholesome(schema: Schema | boolean, random: SeededRandom): unknown {
  if (typeof schema === 'boolean') return null
  if ('const' in schema) return schema['const']
  if (Array.isArray(schema['enum'])) return random.pick(schema['enum'])
  const variants = (schema['oneOf'] ?? schema['anyOf']) as readonly Schema[] | undefined
  if (variants) return wholesome(random.pick(variants), random)
  switch (schema['type']) {
    case 'object':
      return wholesomeObject(schema, random)
    case 'array':
      return [wholesome((schema['items'] ?? {}) as Schema, random)]
    case 'integer':
    case 'number':
      return Number(schema['minimum'] ?? 1)
    case 'boolean':
      return random.chance(0.5)
    case 'null':
      return null
    default:
      return wholesomeText(schema)
  }
}

function wholesomeObject(schema: Schema, random: SeededRandom): Record<string, unknown> {
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, Schema>>
  const required = new Set((schema['required'] ?? []) as readonly string[])
  const value: Record<string, unknown> = {}
  for (const [name, property] of Object.entries(properties)) {
    if (required.has(name) || random.chance(0.3)) value[name] = wholesome(property, random)
  }
  return value
}

function wholesomeText(schema: Schema): string {
  if (schema['format'] === 'uuid') return randomUUID()
  if (schema['format'] === 'email') return 'somebody@trust.test'
  const [example] = (schema['examples'] ?? []) as readonly string[]
  return example ?? `t_${randomUUID().slice(0, 8)}`
}
