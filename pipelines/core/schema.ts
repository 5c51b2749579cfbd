import type { Static, TSchema, TUnsafe } from 'typebox'

/**
 * Schemas of options. Their types are those of TypeBox, which is not loaded for them: that takes longer
 * than all of the engine.
 */
const schema = <T>(json: object): TUnsafe<T> => json as TUnsafe<T>

interface Said {
  readonly description?: string
}

type TypeOf<Members extends readonly TSchema[]> = Static<Members[number]>

export const Schema = {
  text: (
    limits: Said & {
      readonly minLength?: number
      readonly maxLength?: number
      readonly pattern?: string
      /** How it is written, for whoever writes it otherwise. */
      readonly examples?: readonly string[]
    },
  ) => schema<string>({ type: 'string', ...limits }),

  integer: (limits: Said & { readonly minimum: number; readonly maximum?: number }) =>
    schema<number>({ type: 'integer', ...limits }),

  only: <const T extends boolean>(value: T) => schema<T>({ type: 'boolean', const: value }),

  oneOf: <const T extends readonly string[]>(values: T, said: Said = {}) =>
    schema<T[number]>({ enum: values, ...said }),

  list: <T extends TSchema>(
    items: T,
    limits: Said & { readonly minItems?: number; readonly maxItems: number },
  ) => schema<Static<T>[]>({ type: 'array', items, ...limits }),

  either: <const T extends readonly TSchema[]>(members: T, said: Said = {}) =>
    schema<TypeOf<T>>({ anyOf: members, ...said }),

  /** Nothing besides these may be said. */
  object: <T>(properties: Readonly<Record<string, TSchema>>, required: readonly string[] = []) =>
    schema<T>({
      type: 'object',
      ...(required.length > 0 && { required }),
      properties,
      additionalProperties: false,
    }),
}
