import type { SchemaElement } from 'hyparquet-writer'
import type { ClientBase } from 'pg'

import {
  type Append,
  appendBoolean,
  appendBytes,
  appendDay,
  appendDecimal128,
  appendDecimal64,
  appendInstant,
  appendInt64,
} from './cell-bytes.ts'
import { shownText, type StoredColumn } from '../table/stored-column.ts'
import { quoteName } from '../../../pipelines/index.ts'
import { fromState, type TableState } from '../read/snapshot.ts'

/** How a column of the table is written. */
export interface ParquetColumn {
  /** SQL for the value to read, which COPY sends in binary form. */
  readonly value: string
  readonly append: Append
  readonly element: SchemaElement
}

/** The most digits of a decimal that all readers support. */
const MOST_DIGITS = 38
/** How many digits fit into 64 bits. */
const DIGITS_OF_INT64 = 18

/** The decimal places needed for every value of a column. */
interface Digits {
  readonly whole: number
  readonly scale: number
}

/** Reads all numbers of the table first: a decimal has a single scale in the whole file. */
export async function parquetColumns(
  client: ClientBase,
  state: TableState,
): Promise<ParquetColumn[]> {
  const numbers = state.columns.filter(({ sqlType }) => sqlType === 'numeric')
  const digits = await digitsOf(client, state, numbers)
  return state.columns.map((column) => parquetColumn(column, digits.get(column.column) ?? null))
}

async function digitsOf(
  client: ClientBase,
  state: TableState,
  numbers: readonly StoredColumn[],
): Promise<ReadonlyMap<string, Digits>> {
  if (numbers.length === 0) return new Map()
  const parts = numbers.map(({ column }) => {
    const name = quoteName(column)
    return `json_build_array(length(trunc(greatest(max(${name}), -min(${name})))::text), max(scale(${name})))`
  })
  const { rows } = await client.query<{
    digits: readonly (readonly [number | null, number | null])[]
  }>(`select json_build_array(${parts.join(', ')}) as digits ${fromState(state)}`)
  return new Map(
    rows[0]!.digits.map(([whole, scale], at) => [
      numbers[at]!.column,
      { whole: whole ?? 1, scale: scale ?? 0 },
    ]),
  )
}

function parquetColumn(column: StoredColumn, digits: Digits | null): ParquetColumn {
  const name = quoteName(column.column)
  switch (column.sqlType) {
    case 'bigint':
      return written(column, name, appendInt64, { type: 'INT64' })
    case 'boolean':
      return written(column, name, appendBoolean, { type: 'BOOLEAN' })
    case 'date':
      return written(column, name, appendDay, {
        type: 'INT32',
        converted_type: 'DATE',
        logical_type: { type: 'DATE' },
      })
    case 'timestamptz':
      return written(column, name, appendInstant, {
        type: 'INT64',
        converted_type: 'TIMESTAMP_MICROS',
        logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
      })
    case 'numeric':
      return digits !== null && digits.whole + digits.scale <= MOST_DIGITS
        ? decimal(column, name, digits)
        : string(column)
    case 'text':
      return string(column)
    case 'jsonb':
      return written(column, shownText(column), appendBytes, {
        type: 'BYTE_ARRAY',
        converted_type: 'JSON',
        logical_type: { type: 'JSON' },
      })
  }
}

function written(
  { name }: StoredColumn,
  value: string,
  append: Append,
  type: Omit<SchemaElement, 'name'>,
): ParquetColumn {
  return { value, append, element: { name, repetition_type: 'OPTIONAL', ...type } }
}

function string(column: StoredColumn): ParquetColumn {
  return written(column, shownText(column), appendBytes, {
    type: 'BYTE_ARRAY',
    converted_type: 'UTF8',
    logical_type: { type: 'STRING' },
  })
}

/** All digits of every number, in units of its last decimal place. */
function decimal(column: StoredColumn, value: string, { whole, scale }: Digits): ParquetColumn {
  const precision = whole + scale
  const isSmall = precision <= DIGITS_OF_INT64
  return written(column, value, isSmall ? appendDecimal64(scale) : appendDecimal128(scale), {
    ...(isSmall ? { type: 'INT64' } : { type: 'FIXED_LEN_BYTE_ARRAY', type_length: 16 }),
    converted_type: 'DECIMAL',
    precision,
    scale,
    logical_type: { type: 'DECIMAL', precision, scale },
  })
}
