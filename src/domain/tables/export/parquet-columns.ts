import type { SchemaElement } from 'hyparquet-writer'
import type { ClientBase } from 'pg'

import { shownText, type StoredColumn } from '../stored-column.ts'
import { quoteName } from '../table-name.ts'
import { fromState, type TableState } from '../table-state.ts'

export type ParquetValue = string | bigint | number | boolean | Uint8Array | null

/** How a column of the table is written. */
export interface ParquetColumn {
  /** SQL for the text that is read. */
  readonly value: string
  readonly read: (text: string) => Exclude<ParquetValue, null>
  /** As which the values are written. */
  readonly written: SchemaElement
  /** As which the file tells of them. */
  readonly told: SchemaElement
  /** Whether the least and the most of a row group are recorded: they are held until the end. */
  readonly statistics: boolean
}

/** Digits of a decimal that readers agree on. */
const MOST_DIGITS = 38
/** So many fit into 64 bits. */
const DIGITS_OF_INT64 = 18

/** Places for the digits of every value of a column. */
interface Digits {
  readonly whole: number
  readonly scale: number
}

/** Reads the numbers of the table once: a decimal has one scale in the whole file. */
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
    return `json_build_array(length(max(trunc(abs(${name})))::text), max(scale(${name})))`
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
      return plain(column, `${name}::text`, BigInt, { type: 'INT64' })
    case 'boolean':
      return plain(column, `${name}::text`, (text) => text === 'true', { type: 'BOOLEAN' })
    case 'date':
      return plain(column, `(${name} - date '1970-01-01')::text`, Number, {
        type: 'INT32',
        converted_type: 'DATE',
        logical_type: { type: 'DATE' },
      })
    case 'timestamptz':
      return plain(column, `trunc(extract(epoch from ${name}) * 1000000)::text`, BigInt, {
        type: 'INT64',
        converted_type: 'TIMESTAMP_MICROS',
        logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
      })
    case 'numeric':
      return digits !== null && digits.whole + digits.scale <= MOST_DIGITS
        ? decimal(column, digits)
        : string(column)
    case 'text':
      return string(column)
    case 'jsonb':
      return json(column)
  }
}

function plain(
  { name }: StoredColumn,
  value: string,
  read: ParquetColumn['read'],
  type: Omit<SchemaElement, 'name'>,
): ParquetColumn {
  const written: SchemaElement = { name, repetition_type: 'OPTIONAL', ...type }
  return { value, read, written, told: written, statistics: true }
}

function string(column: StoredColumn): ParquetColumn {
  const text = plain(column, shownText(column), (value) => value, {
    type: 'BYTE_ARRAY',
    converted_type: 'UTF8',
    logical_type: { type: 'STRING' },
  })
  return { ...text, statistics: false }
}

/** All digits of every number, counted in units of its last place. */
function decimal(column: StoredColumn, { whole, scale }: Digits): ParquetColumn {
  const precision = whole + scale
  const value = `trunc(${quoteName(column.column)} * 1e${scale})::text`
  return plain(column, value, BigInt, {
    ...(precision <= DIGITS_OF_INT64
      ? { type: 'INT64' }
      : { type: 'FIXED_LEN_BYTE_ARRAY', type_length: 16 }),
    converted_type: 'DECIMAL',
    precision,
    scale,
    logical_type: { type: 'DECIMAL', precision, scale },
  })
}

/** The writer would make JSON of the text once more if it knew that it is JSON. */
function json(column: StoredColumn): ParquetColumn {
  const bytes = plain(column, shownText(column), (text) => Buffer.from(text), {
    type: 'BYTE_ARRAY',
  })
  const told: SchemaElement = {
    ...bytes.written,
    converted_type: 'JSON',
    logical_type: { type: 'JSON' },
  }
  return { ...bytes, told, statistics: false }
}
