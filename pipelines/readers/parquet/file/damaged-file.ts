import { EngineError } from '../../../core/errors.ts'

const CURE = 'Write it anew with the program it comes from.'

export function damagedFile(reason: string, cause?: unknown): EngineError {
  return new EngineError(
    `The Parquet file is truncated or damaged (${reason}). ${CURE}`,
    { kind: 'structure' },
    { cause },
  )
}

/** What goes wrong in a piece of the file is told of that piece; refusals of ours stay what they are. */
export function guarded<Result>(piece: string, read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    if (error instanceof EngineError) throw error
    throw damagedFile(piece, error)
  }
}

export function unsupported(what: string): EngineError {
  return new EngineError(`The Parquet file ${what}, which is not supported. ${CURE}`, {
    kind: 'format',
  })
}

export function tooLarge(what: string, limit: string): EngineError {
  return new EngineError(
    `The Parquet file has ${what}. Write it anew with smaller pages and row groups.`,
    { kind: 'limit', limit },
  )
}
