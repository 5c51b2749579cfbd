import type { WrittenBefore } from '../core/engine.ts'
import { EngineError } from '../core/errors.ts'
import type { ColumnOverride } from '../core/options.ts'
import type { ExistingColumn } from '../sinks/existing-table.ts'
import { pictured } from '../cells/cell-messages.ts'
import { normaliseHeaders } from '../headers/normalise-headers.ts'
import type { HeldType } from '../transforms/overrides.ts'
import { sqlNames } from '../headers/sql-names.ts'

/** Of all columns together: they are kept, and shown, with every table. */
const MOST_HEADER_BYTES = 4 * 1024 * 1024

export interface NamedColumn {
  readonly name: string
  readonly column: string
}

/** Where the names of columns come from, and what the table holds their types to. */
export interface ColumnNames {
  /** Names for raw headers that come behind those that are named already. */
  nameAll(raw: readonly (string | null)[], before: readonly NamedColumn[]): readonly NamedColumn[]
  heldType(name: string, override: ColumnOverride | null): HeldType | null
}

/** A table made anew: every header gets a column. */
export function newTableNames(mostColumns: number): ColumnNames {
  return {
    nameAll(raw, before) {
      refuseNul(raw)
      refuseLong(raw, before)
      const names = normaliseHeaders(
        raw,
        before.map(({ name }) => name),
      )
      const columns = sqlNames(
        names,
        mostColumns,
        before.map(({ column }) => column),
      )
      return names.map((name, at) => ({ name, column: columns[at]! }))
    },
    heldType: (_, override) => override,
  }
}

/** No text that Postgres stores holds it: the header could not even be told on the column. */
function refuseNul(raw: readonly (string | null)[]): void {
  const header = raw.find((text) => text?.includes('\0'))
  if (header === undefined || header === null) return
  throw new EngineError(
    `The header «${pictured(header)}» holds the character NUL (U+0000), which cannot be stored.`,
    { kind: 'structure' },
  )
}

function refuseLong(raw: readonly (string | null)[], before: readonly NamedColumn[]): void {
  let bytes = 0
  for (const header of [...before.map(({ name }) => name), ...raw]) {
    bytes += Buffer.byteLength(header ?? '')
  }
  if (bytes <= MOST_HEADER_BYTES) return
  throw new EngineError(
    `The headers are longer than ${MOST_HEADER_BYTES} bytes together. Where there are none, the option headerRow: 0 says so.`,
    { kind: 'limit', limit: 'headerBytes' },
  )
}

/** A table that rows are added to: every header must have its column there already. */
export function existingTableNames(
  existing: readonly ExistingColumn[],
  dateFormats?: WrittenBefore['dateFormats'],
): ColumnNames {
  const find = (name: string): ExistingColumn => {
    const column = existing.find((other) => other.name === name)
    if (column !== undefined) return column
    throw new EngineError(`The table has no column «${name}»`, {
      kind: 'options',
      pointer: '/mode',
    })
  }
  return {
    nameAll(raw, before) {
      refuseLong(raw, before)
      const names = normaliseHeaders(
        raw,
        before.map(({ name }) => name),
      )
      return names.map((name) => ({ name, column: find(name).column }))
    },
    heldType(name, override) {
      const { type, sqlType } = find(name)
      const usualFormat = dateFormats?.get(name)
      if (override === null) return { name, type, sqlType, ...(usualFormat && { usualFormat }) }
      if (override.type === type) return { ...override, sqlType }
      throw new EngineError(`The column «${name}» of the table is ${type}, not ${override.type}`, {
        kind: 'options',
        pointer: '/columns',
      })
    },
  }
}
