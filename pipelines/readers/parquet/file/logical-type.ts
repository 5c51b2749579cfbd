import type { ThriftReader } from './thrift.ts'

export type TimeUnit = 'ms' | 'us' | 'ns'

/** What the values of a column mean, in addition to the physical type in which they are written. */
export type LogicalType =
  | { readonly kind: 'plain' | 'text' | 'json' | 'date' | 'uuid' | 'float16' | 'interval' }
  | { readonly kind: 'list' | 'map' }
  | { readonly kind: 'decimal'; readonly scale: number }
  | { readonly kind: 'integer'; readonly signed: boolean }
  | { readonly kind: 'time'; readonly unit: TimeUnit }
  /** `isInstant`: a moment in time; otherwise what a local clock showed. */
  | { readonly kind: 'timestamp'; readonly unit: TimeUnit; readonly isInstant: boolean }

const PLAIN: LogicalType = { kind: 'plain' }

/** By the number of the member in the format's union `LogicalType`. */
const SIMPLE: Readonly<Record<number, LogicalType>> = {
  1: { kind: 'text' },
  2: { kind: 'map' },
  3: { kind: 'list' },
  4: { kind: 'text' },
  6: { kind: 'date' },
  // The type of a column that is always null.
  11: { kind: 'text' },
  12: { kind: 'json' },
  14: { kind: 'uuid' },
  15: { kind: 'float16' },
}

export function readLogicalType(thrift: ThriftReader): LogicalType {
  let found = PLAIN
  thrift.struct((member) => {
    found = SIMPLE[member] ?? PLAIN
    if (member === 5) found = readDecimal(thrift)
    else if (member === 7 || member === 8) found = readTime(thrift, member === 8)
    else if (member === 10) found = readInteger(thrift)
    else return false
    return
  })
  return found
}

function readDecimal(thrift: ThriftReader): LogicalType {
  let scale = 0
  thrift.struct((field) => {
    if (field !== 1) return false
    scale = thrift.int()
    return
  })
  return { kind: 'decimal', scale }
}

function readTime(thrift: ThriftReader, hasDay: boolean): LogicalType {
  let isInstant = true
  let unit: TimeUnit = 'us'
  thrift.struct((field) => {
    if (field === 1) isInstant = thrift.bool()
    else if (field === 2) {
      thrift.struct((member) => {
        unit = member === 1 ? 'ms' : member === 2 ? 'us' : 'ns'
        return false
      })
    } else return false
    return
  })
  return hasDay ? { kind: 'timestamp', unit, isInstant } : { kind: 'time', unit }
}

function readInteger(thrift: ThriftReader): LogicalType {
  let signed = true
  thrift.struct((field) => {
    if (field !== 2) return false
    signed = thrift.bool()
    return
  })
  return { kind: 'integer', signed }
}

/** What files from before 2018 use instead, by number. */
const CONVERTED: Readonly<Record<number, LogicalType>> = {
  0: { kind: 'text' },
  1: { kind: 'map' },
  2: { kind: 'map' },
  3: { kind: 'list' },
  4: { kind: 'text' },
  6: { kind: 'date' },
  7: { kind: 'time', unit: 'ms' },
  8: { kind: 'time', unit: 'us' },
  9: { kind: 'timestamp', unit: 'ms', isInstant: true },
  10: { kind: 'timestamp', unit: 'us', isInstant: true },
  11: { kind: 'integer', signed: false },
  12: { kind: 'integer', signed: false },
  13: { kind: 'integer', signed: false },
  14: { kind: 'integer', signed: false },
  19: { kind: 'json' },
  21: { kind: 'interval' },
}
const CONVERTED_DECIMAL = 5

interface Annotated {
  readonly logicalType?: LogicalType
  readonly convertedType?: number
  readonly scale: number
}

export function meaningOf({ logicalType, convertedType, scale }: Annotated): LogicalType {
  if (logicalType !== undefined && logicalType.kind !== 'plain') return logicalType
  if (convertedType === undefined) return PLAIN
  if (convertedType === CONVERTED_DECIMAL) return { kind: 'decimal', scale }
  return CONVERTED[convertedType] ?? PLAIN
}
