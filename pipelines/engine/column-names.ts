import { EngineError } from '../core/errors.ts'
import type { Expectation, TargetColumn } from '../core/mapping.ts'
import type { ColumnOverride } from '../core/options.ts'
import { pictured } from '../cells/cell-messages.ts'
import type { HeaderMeeting } from '../mapping/meet-headers.ts'
import { normaliseHeaders, sqlNames } from '../headers/sql-names.ts'
import type { HeldType } from '../transforms/value-context.ts'
import { refusalMessages } from './refusal-messages.ts'

/** For all columns together, since they are stored and shown with every table. */
const MOST_HEADER_BYTES = 4 * 1024 * 1024

export interface NamedColumn {
  /** Normalised header, as it is in the input. */
  readonly header: string
  /** The name under which people know the column: its header, if nothing else is expected. */
  readonly name: string
  readonly column: string
  /** Its cells are not loaded. */
  readonly isLeft: boolean
}

/** The columns that the table gets. */
export const kept = <Column extends NamedColumn>(columns: readonly Column[]): readonly Column[] =>
  columns.filter(({ isLeft }) => !isLeft)

/** Where the names of columns come from, and which types the table requires. */
export interface ColumnNames {
  /** Names raw headers that follow those that already have names. */
  nameAll(raw: readonly (string | null)[], before: readonly NamedColumn[]): readonly NamedColumn[]
  heldType(name: string, override: ColumnOverride | null): HeldType | null
}

/** Every header gets a column. */
export function newTableNames(mostColumns: number): ColumnNames {
  return {
    nameAll(raw, before) {
      const headers = headersOf(raw, before)
      const columns = sqlNames(
        headers,
        mostColumns,
        before.map(({ column }) => column),
      )
      return headers.map((header, at) => ({
        header,
        name: header,
        column: columns[at]!,
        isLeft: false,
      }))
    },
    heldType: (_name, override) => override,
  }
}

/** Headers get the columns that they have met; the others choose from the remaining names. */
export function metNames(
  mostColumns: number,
  { columns: known }: Expectation,
  meeting: HeaderMeeting,
): ColumnNames {
  const byName = new Map(known.map((column) => [column.name, column]))
  return {
    nameAll(raw, before) {
      const headers = headersOf(raw, before)
      if (before.length > 0) meeting.meetLate(headers)
      const met = meeting.headers.slice(before.length, before.length + headers.length)
      const added = met.filter(({ column, name }) => column === null && name !== null)
      const columns = sqlNames(
        added.map(({ name }) => name!),
        mostColumns,
        [...known, ...before.filter(({ isLeft }) => !isLeft)].map(({ column }) => column),
      )
      const named = new Map(added.map(({ header }, at) => [header, columns[at]!]))
      return met.map(({ header, name, column }) => ({
        header,
        name: name ?? header,
        column: column?.column ?? named.get(header) ?? '',
        isLeft: name === null,
      }))
    },
    heldType(name, override) {
      const column = byName.get(name)
      return column === undefined ? override : heldBy(column, override)
    },
  }
}

/**
 * Numbers that are written in a way of their own: the survey of their texts, which does not know it,
 * cannot tell a fraction.
 */
const hasFractions = ({ rules = [] }: TargetColumn): boolean =>
  rules.some(({ written }) => written?.type === 'number' || written?.bareNumber === false)

/** How the values of a known column have to be read and stored. */
function heldBy(column: TargetColumn, override: ColumnOverride | null): HeldType | null {
  const { name, type, sqlType, dateFormat, pattern } = column
  const notation = { ...(pattern && { pattern }) }
  switch (column.holds) {
    case 'nothing':
      return override
    case 'text':
      return override ?? { name, type: 'text' }
    case 'type':
      return {
        ...(override ?? { name, type, ...(dateFormat && { dateFormat }), ...notation }),
        ...(hasFractions(column) && { statedAs: 'numeric' }),
      }
    case 'rows': {
      const held = { name, type, ...(sqlType && { sqlType }) }
      if (override === null) {
        return { ...held, ...(dateFormat && { usualFormat: dateFormat }), ...notation }
      }
      if (override.type === type) return { ...override, ...held }
      throw new EngineError(
        refusalMessages.otherType({ name, present: type, wanted: override.type }),
        { kind: 'options', pointer: '/columns' },
      )
    }
  }
}

/** Normalises headers that follow others, once what no table can have was refused. */
export function headersOf(
  raw: readonly (string | null)[],
  before: readonly NamedColumn[],
): string[] {
  refuseNul(raw)
  refuseLong(raw, before)
  return normaliseHeaders(
    raw,
    before.map(({ header }) => header),
  )
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
  for (const header of [...before.map(({ header: name }) => name), ...raw]) {
    bytes += Buffer.byteLength(header ?? '')
  }
  if (bytes <= MOST_HEADER_BYTES) return
  throw new EngineError(refusalMessages.longHeaders({ most: MOST_HEADER_BYTES }), {
    kind: 'limit',
    limit: 'headerBytes',
  })
}
