import type { HeldColumn, KnownColumn } from '../core/engine.ts'
import { EngineError } from '../core/errors.ts'
import type { ColumnOverride } from '../core/options.ts'
import { pictured } from '../cells/cell-messages.ts'
import { normaliseHeaders } from '../headers/normalise-headers.ts'
import type { HeldType } from '../transforms/overrides.ts'
import { sqlNames } from '../headers/sql-names.ts'
import { refusalMessages } from './refusal-messages.ts'

/** For all columns together, since they are stored and shown with every table. */
const MOST_HEADER_BYTES = 4 * 1024 * 1024

export interface NamedColumn {
  readonly name: string
  readonly column: string
}

/** Where the names of columns come from, and which types the table requires. */
export interface ColumnNames {
  /** Names raw headers that follow those that already have names. */
  nameAll(raw: readonly (string | null)[], before: readonly NamedColumn[]): readonly NamedColumn[]
  heldType(name: string, override: ColumnOverride | null): HeldType | null
}

/**
 * Every header gets a column. A header that the table already has keeps its name in SQL; the
 * others choose from the remaining names.
 */
export function newTableNames(
  mostColumns: number,
  known: readonly KnownColumn[] = [],
): ColumnNames {
  const byHeader = new Map(known.map((column) => [column.name, column]))
  return {
    nameAll(raw, before) {
      refuseNul(raw)
      refuseLong(raw, before)
      const names = normaliseHeaders(
        raw,
        before.map(({ name }) => name),
      )
      const taken = new Set(before.map(({ column }) => column))
      const kept = new Map<string, string>()
      for (const name of names) {
        const column = byHeader.get(name)?.column
        if (column !== undefined && !taken.has(column)) kept.set(name, column)
      }
      const others = names.filter((name) => !kept.has(name))
      const columns = sqlNames(others, mostColumns, [...taken, ...kept.values()])
      const given = new Map(others.map((name, at) => [name, columns[at]!]))
      return names.map((name) => ({ name, column: kept.get(name) ?? given.get(name)! }))
    },
    heldType: (name, override) =>
      override ?? (byHeader.get(name)?.staysText === true ? { name, type: 'text' } : null),
  }
}

/** PostgreSQL cannot store it in any text, not even in a comment on the column. */
function refuseNul(raw: readonly (string | null)[]): void {
  const header = raw.find((text) => text?.includes('\0'))
  if (header === undefined || header === null) return
  throw new EngineError(refusalMessages.nulHeader({ header: pictured(header) }), {
    kind: 'structure',
  })
}

function refuseLong(raw: readonly (string | null)[], before: readonly NamedColumn[]): void {
  let bytes = 0
  for (const header of [...before.map(({ name }) => name), ...raw]) {
    bytes += Buffer.byteLength(header ?? '')
  }
  if (bytes <= MOST_HEADER_BYTES) return
  throw new EngineError(refusalMessages.longHeaders({ most: MOST_HEADER_BYTES }), {
    kind: 'limit',
    limit: 'headerBytes',
  })
}

/** For a table that rows are added to: every header must already have a column there. */
export function heldTableNames(held: readonly HeldColumn[]): ColumnNames {
  const find = (name: string): HeldColumn => {
    const column = held.find((other) => other.name === name)
    if (column !== undefined) return column
    throw new EngineError(refusalMessages.noTableColumn({ name }), {
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
      const { type, sqlType, dateFormat, pattern } = find(name)
      if (override === null) {
        return {
          name,
          type,
          sqlType,
          ...(dateFormat && { usualFormat: dateFormat }),
          ...(pattern && { pattern }),
        }
      }
      if (override.type === type) return { ...override, sqlType }
      throw new EngineError(
        refusalMessages.otherType({ name, present: type, wanted: override.type }),
        {
          kind: 'options',
          pointer: '/columns',
        },
      )
    },
  }
}
