import { types } from 'pg'

const { builtins } = types

/** How values come out of the database: one choice per type, the same in pool and Knex. */
const PARSERS: Readonly<Record<number, (text: string) => unknown>> = {
  // Identifiers and counts, which never come near the limit; JSON needs numbers.
  [builtins.INT8]: parseSafeInteger,
  // A day has no time zone; a Date would shift it.
  [builtins.DATE]: (text) => text,
  [builtins.TIMESTAMP]: (text) => text,
  // Every digit is kept.
  [builtins.NUMERIC]: (text) => text,
  [builtins.INTERVAL]: (text) => text,
}

/** What both pg and Knex accept as `types`. */
export interface ValueTypes {
  getTypeParser(oid: number, format?: string): (text: string) => unknown
}

/** For a client, pool or Knex connection to the application's own tables. */
export const applicationTypes: ValueTypes = {
  getTypeParser(oid, format) {
    return PARSERS[oid] ?? types.getTypeParser(oid, format === 'binary' ? format : 'text')
  },
}

/** For a query on generated tables, whose values are shown exactly as they are stored. */
export const textTypes: ValueTypes = {
  getTypeParser: () => (text) => text,
}

function parseSafeInteger(text: string): number {
  const value = Number(text)
  if (Number.isSafeInteger(value)) return value
  throw new RangeError(`${text} is past the integers that JavaScript holds exactly`)
}
