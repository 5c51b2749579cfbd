import type { SchemaElement } from 'hyparquet-writer'
import type { ClientBase } from 'pg'

import type { ParquetValues } from './parquet-values.ts'
import { shownText, type StoredColumn } from '../table/stored-column.ts'
import { quoteName } from '../../../pipelines/index.ts'
import { fromState, type TableState } from '../read/snapshot.ts'

/** Appends a value that COPY sent in binary form. */
type Append = (values: ParquetValues, view: DataView, at: number, length: number) => void

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

const TWO_32 = 0x1_0000_0000
/** PostgreSQL counts from 2000-01-01. */
const EPOCH_DAYS = 10_957
const EPOCH_MICROSECONDS = EPOCH_DAYS * 86_400_000_000
const EPOCH = { high: Math.floor(EPOCH_MICROSECONDS / TWO_32), low: EPOCH_MICROSECONDS % TWO_32 }

const appendInt64: Append = (values, view, at) =>
  values.halves(view.getInt32(at), view.getInt32(at + 4))

const appendInstant: Append = (values, view, at) => {
  const low = view.getUint32(at + 4) + EPOCH.low
  values.halves(view.getInt32(at) + EPOCH.high + (low >= TWO_32 ? 1 : 0), low | 0)
}

const appendDay: Append = (values, view, at) => values.int32(view.getInt32(at) + EPOCH_DAYS)

/** Written as a byte; all of them become bits later. */
const appendBoolean: Append = (values, view, at) => {
  values.reserve(1)
  values.bytes[values.length] = view.getUint8(at)
  values.length += 1
}

const appendBytes: Append = (values, view, at, length) => values.takeBytes(view, at, length)

/** A numeric begins with the number of its four-digit groups, the power of the first one, sign and scale. */
const HEADER_BYTES = 8
const NEGATIVE = 0x4000
const BASE = 10_000
/** A double holds this many groups exactly, even if the last one is not full. */
const MOST_GROUPS = 3

/** Counted in units of the last of `scale` decimal places, which hold all digits. */
function appendDecimal64(scale: number): Append {
  return (values, view, at) => {
    const groups = view.getUint16(at)
    const shift = 4 * (view.getInt16(at + 2) - groups + 1) + scale
    if (groups > MOST_GROUPS || shift > 3) return appendBig(values, unscaled(view, at, scale))
    let value = 0
    for (let group = 0; group < groups; group++) {
      value = value * BASE + view.getUint16(at + HEADER_BYTES + 2 * group)
    }
    value = shift < 0 ? value / 10 ** -shift : value * 10 ** shift
    if (isNegative(view, at)) value = -value
    const high = Math.floor(value / TWO_32)
    values.halves(high | 0, (value - high * TWO_32) | 0)
  }
}

function appendBig(values: ParquetValues, value: bigint): void {
  values.halves(Number(value >> 32n), Number(BigInt.asUintN(32, value)))
}

/** In 16 bytes, most significant first. */
function appendDecimal128(scale: number): Append {
  return (values, view, at) => {
    const value = unscaled(view, at, scale)
    values.reserve(16)
    values.view.setBigInt64(values.length, value >> 64n)
    values.view.setBigUint64(values.length + 8, BigInt.asUintN(64, value))
    values.length += 16
  }
}

function unscaled(view: DataView, at: number, scale: number): bigint {
  const groups = view.getUint16(at)
  let value = 0n
  for (let group = 0; group < groups; group++) {
    value = value * BigInt(BASE) + BigInt(view.getUint16(at + HEADER_BYTES + 2 * group))
  }
  const shift = 4 * (view.getInt16(at + 2) - groups + 1) + scale
  value = shift < 0 ? value / 10n ** BigInt(-shift) : value * 10n ** BigInt(shift)
  return isNegative(view, at) ? -value : value
}

function isNegative(view: DataView, at: number): boolean {
  const sign = view.getUint16(at + 4)
  if (sign !== 0 && sign !== NEGATIVE)
    throw new RangeError('A decimal cannot hold what is no number')
  return sign === NEGATIVE
}
