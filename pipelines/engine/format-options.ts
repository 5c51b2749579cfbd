import type { TSchema, TUnsafe } from 'typebox'

import { EngineError } from '../core/errors.ts'
import type { Format } from '../core/format.ts'
import { COMMON_OPTIONS, type CommonOptions, type IngestOptions } from '../core/options.ts'
import { Schema } from '../core/schema.ts'
import { refusalMessages } from './refusal-messages.ts'
import { requireZone } from '../dates/zone-clock.ts'
import { checkOverrides } from '../transforms/value-context.ts'
import type { EngineParts } from './engine-parts.ts'

/** The schema of all options for a file of any of these formats: their own, and the common ones. */
export function ingestOptionsSchema(formats: Iterable<Format>): TUnsafe<IngestOptions> {
  const known = [...formats]
  const names = known.map(({ name }) => name)
  const declared = [...declaredBy(known)].map(([option, { schema, by }]) => [
    option,
    by.length === known.length ? schema : saidOf(schema, by),
  ])
  return Schema.object<IngestOptions>({
    format: Schema.oneOf(names, { description: 'Else recognised by content' }),
    ...Object.fromEntries(declared),
    ...COMMON_OPTIONS,
  })
}

interface Declared {
  readonly schema: TSchema
  /** Names of the formats. */
  readonly by: string[]
}

function declaredBy(formats: readonly Format[]): ReadonlyMap<string, Declared> {
  const declared = new Map<string, Declared>()
  for (const { name, options } of formats) {
    for (const [option, schema] of Object.entries(options)) {
      const known = declared.get(option) ?? { schema, by: [] }
      if (known.schema !== schema || option === 'format' || Object.hasOwn(COMMON_OPTIONS, option)) {
        throw new Error(`The format ${name} declares the option ${option}, which is taken`)
      }
      known.by.push(name)
      declared.set(option, known)
    }
  }
  return declared
}

function saidOf(schema: TSchema, formats: readonly string[]): TSchema {
  const { description } = schema as { description?: string }
  const of = `For ${formats.join(', ')}`
  return { ...schema, description: description === undefined ? of : `${of}. ${description}` }
}

/** Without this, a misspelled option would be silently ignored. */
function refuseUnknownOptions(options: IngestOptions, formats: Iterable<Format>): void {
  const declared = declaredBy([...formats])
  for (const name of Object.keys(options)) {
    if (name === 'format' || Object.hasOwn(COMMON_OPTIONS, name) || declared.has(name)) continue
    throw new EngineError(refusalMessages.noOption({ name }), {
      kind: 'options',
      pointer: `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
    })
  }
}

/**
 * The options that have a meaning for a format that declares these. Their values were already
 * checked against the schema above.
 */
export function meaningfulOptions(
  options: IngestOptions,
  declared: Format['options'],
): CommonOptions & Record<string, unknown> {
  const meaningful = Object.entries(options).filter(
    ([name]) => Object.hasOwn(COMMON_OPTIONS, name) || Object.hasOwn(declared, name),
  )
  return Object.fromEntries(meaningful)
}

/** Checks the options as far as possible without reading anything. */
export function checkOptions(
  { formats }: Pick<EngineParts, 'formats'>,
  options: IngestOptions,
): void {
  refuseUnknownOptions(options, formats)
  checkOverrides(options.columns ?? [])
  if (options.timezone !== undefined) requireZone(options.timezone)
}
