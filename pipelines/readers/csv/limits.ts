import { EngineError } from '../../core/errors.ts'
import type { EngineLimits } from '../../core/limits.ts'
import { csvMessages } from './messages.ts'

export function cellTooLong(line: number, mostBytes: number): EngineError {
  return new EngineError(csvMessages.longCell({ line, most: mostBytes }), {
    kind: 'limit',
    limit: 'cellBytes',
    line,
  })
}

/** A row may be longer than its longest cell, but it has to fit in memory. */
export const mostRowBytes = ({ cellBytes }: EngineLimits): number => cellBytes * 2

export function rowTooLong(line: number, mostBytes: number): EngineError {
  return new EngineError(csvMessages.longRow({ line, most: mostBytes }), {
    kind: 'limit',
    limit: 'rowBytes',
    line,
  })
}

export function tooManyColumns(columns: number, most: number, line: number): EngineError {
  return new EngineError(csvMessages.manyColumns({ line, columns, most }), {
    kind: 'limit',
    limit: 'columns',
    line,
  })
}
