import { EngineError } from '../../core/errors.ts'
import type { EngineLimits } from '../../core/limits.ts'

export function cellTooLong(line: number, mostBytes: number): EngineError {
  return new EngineError(`Line ${line}: a cell is longer than ${mostBytes} bytes.`, {
    kind: 'limit',
    limit: 'cellBytes',
    line,
  })
}

/** A row may be longer than its longest cell, but it has to fit in memory. */
export const mostRowBytes = ({ cellBytes }: EngineLimits): number => cellBytes * 2

export function rowTooLong(line: number, mostBytes: number): EngineError {
  return new EngineError(`Line ${line}: a row is longer than ${mostBytes} bytes.`, {
    kind: 'limit',
    limit: 'rowBytes',
    line,
  })
}

export function tooManyColumns(columns: number, most: number, line: number): EngineError {
  return new EngineError(`Line ${line}: ${columns} columns, where at most ${most} can be stored.`, {
    kind: 'limit',
    limit: 'columns',
    line,
  })
}

export const NEVER_CLOSED = 'a quote is opened and never closed'
