import type { Static, TSchema, TUnsafe } from 'typebox'

/**
 * Schemas of options. Only TypeBox's types are used: loading TypeBox takes longer than loading the
 * whole engine.
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
      /** How to write the value, for messages to people who wrote it differently. */
      readonly examples?: readonly string[]
    },
  ) => schema<string>({ type: 'string', ...limits }),

  integer: (limits: Said & { readonly minimum: number; readonly maximum?: number }) =>
    schema<number>({ type: 'integer', ...limits }),

  only: <const T extends boolean>(value: T) => schema<T>({ type: 'boolean', const: value }),

  flag: (said: Said) => schema<boolean>({ type: 'boolean', ...said }),

  oneOf: <const T extends readonly string[]>(values: T, said: Said = {}) =>
    schema<T[number]>({ enum: values, ...said }),

  list: <T extends TSchema>(
    items: T,
    limits: Said & { readonly minItems?: number; readonly maxItems: number },
  ) => schema<Static<T>[]>({ type: 'array', items, ...limits }),

  either: <const T extends readonly TSchema[]>(members: T, said: Said = {}) =>
    schema<TypeOf<T>>({ anyOf: members, ...said }),

  /** An object without any other members. */
  object: <T>(properties: Readonly<Record<string, TSchema>>, required: readonly string[] = []) =>
    schema<T>({
      type: 'object',
      ...(required.length > 0 && { required }),
      properties,
      additionalProperties: false,
    }),
}
