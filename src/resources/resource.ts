import type { Static, TArray, TObject, TOptional, TProperties, TSchema, TUnion } from 'typebox'

import type { Timestamp } from './schema.ts'

/**
 * The fields of one kind of thing, listed once. Its type, its selection in SQL and what is shown of
 * it are all derived from here.
 */
export interface Resource<
  Shown extends TProperties = TProperties,
  Hidden extends TProperties = TProperties,
> {
  /** What everybody sees who may see the thing; presenters show these fields and no others. */
  readonly shown: Shown
  /** Additional fields for internal use. */
  readonly hidden: Hidden
  /** SQL for fields that are not simply the column with their name in snake case. */
  readonly sql: Readonly<Partial<Record<keyof (Shown & Hidden), (row: string) => string>>>
}

export function resource<Shown extends TProperties, Hidden extends TProperties>(
  shown: Shown,
  hidden: Hidden,
  sql: Partial<Resource<Shown, Hidden>['sql']> = {},
): Resource<Shown, Hidden> {
  return { shown, hidden, sql }
}

/** A thing as the service represents it. */
export type EntityOf<R> =
  R extends Resource<infer Shown, infer Hidden> ? Entity<Shown & Hidden> : never

/** Instants are Dates; optional fields may also be null, and are then not shown. */
export type Entity<P extends TProperties> = {
  readonly [K in keyof P as P[K] extends TOptional ? never : K]: Held<P[K]>
} & {
  readonly [K in keyof P as P[K] extends TOptional ? K : never]?: Held<P[K]> | null | undefined
}

type Held<S extends TSchema> = S extends Timestamp
  ? Date
  : S extends TUnion<infer Members>
    ? Held<Members[number]>
    : S extends TArray<infer Item>
      ? readonly Held<Item>[]
      : S extends TObject<infer P>
        ? Entity<P>
        : Static<S>

/** The columns of a table, if all of them are named like the fields. */
export type ColumnsOf<R> = {
  [K in keyof EntityOf<R> & string as SnakeCase<K>]: EntityOf<R>[K]
}

type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : ''

const written = new WeakMap<Resource, Map<string, string>>()

/** The select list for a resource from a row of its table: every field under its name. It is written once. */
export function selectionOf(of: Resource, row: string): string {
  const byRow = written.get(of) ?? new Map<string, string>()
  written.set(of, byRow)
  const selection = byRow.get(row) ?? writeSelection(of, row)
  byRow.set(row, selection)
  return selection
}

function writeSelection({ shown, hidden, sql }: Resource, row: string): string {
  return Object.keys({ ...hidden, ...shown })
    .map((field) => {
      const column = sql[field]?.(row) ?? `${row}.${snakeCase(field)}`
      return `${column} as "${field}"`
    })
    .join(', ')
}

const snakeCase = (name: string) =>
  name.replaceAll(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`)
