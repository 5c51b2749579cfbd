import { type Static, Type, type TObject, type TProperties, type TSchema } from 'typebox'

import type { Entity } from '../../resources/resource.ts'
import { INSTANT_FORMAT } from '../../resources/schema.ts'

type Write = (value: unknown) => unknown

/** Shows the fields of a thing that are listed as shown; everything else stays inside. */
export function presenter<P extends TProperties>(
  shown: P,
): (thing: Entity<P>) => Static<TObject<P>> {
  return writerOf(shown) as (thing: Entity<P>) => Static<TObject<P>>
}

function writerOf(properties: TProperties): Write {
  const fields = Object.entries(properties).map(([name, schema]) => ({
    name,
    write: valueWriter(schema),
    isOptional: Type.IsOptional(schema),
  }))
  return (thing) => {
    const held = thing as Readonly<Record<string, unknown>>
    const written: Record<string, unknown> = {}
    for (const { name, write, isOptional } of fields) {
      const value = held[name]
      if (isOptional && (value === undefined || value === null)) continue
      written[name] = write !== null && value !== null ? write(value) : value
    }
    return written
  }
}

/** The parts of a schema that say how a value is written. */
interface WrittenSchema {
  readonly format?: string
  readonly properties?: TProperties
  readonly items?: TSchema
  readonly anyOf?: readonly TSchema[]
  readonly oneOf?: readonly TObject[]
  readonly discriminator?: { readonly propertyName: string }
}

/** Null: the value is shown as it is. */
function valueWriter(schema: TSchema): Write | null {
  const { format, properties, items, anyOf, oneOf, discriminator } = schema as WrittenSchema
  if (format === INSTANT_FORMAT) return (instant) => (instant as Date).toISOString()
  if (oneOf && discriminator) return variantWriter(oneOf, discriminator.propertyName)
  if (properties) return writerOf(properties)
  if (items) {
    const write = valueWriter(items)
    return write && ((list) => (list as readonly unknown[]).map(write))
  }
  return anyOf ? unionWriter(anyOf) : null
}

/**
 * A value that may be null is written like its other type. If nothing distinguishes the types of a
 * union, the value is shown as it is.
 */
function unionWriter(members: readonly TSchema[]): Write | null {
  const [only, ...others] = members.filter((member) => !Type.IsNull(member))
  return only && others.length === 0 ? valueWriter(only) : null
}

function variantWriter(variants: readonly TObject[], tag: string): Write {
  const writers = new Map(
    variants.map(({ properties }) => [
      (properties[tag] as { const?: unknown }).const,
      writerOf(properties),
    ]),
  )
  return (value) => writers.get((value as Record<string, unknown>)[tag])?.(value)
}
