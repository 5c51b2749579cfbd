import { EngineError } from '../../../core/errors.ts'
import type { Message } from '../../../core/message.ts'
import { parquetMessages } from '../messages/parquet-messages.ts'

export function damagedFile(fault: Message, cause?: unknown): EngineError {
  return new EngineError(parquetMessages.damaged({ fault }), { kind: 'structure' }, { cause })
}

/** Errors in a piece of the file are reported with that piece; our own refusals are passed on unchanged. */
export function guarded<Result>(piece: Message, read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    if (error instanceof EngineError) throw error
    throw damagedFile(piece, error)
  }
}

/** `found`: what the file has or does, as the end of a sentence. */
export function unsupported(found: Message): EngineError {
  return new EngineError(parquetMessages.unsupported({ found }), { kind: 'format' })
}

/** `found`: what the file has. */
export function tooLarge(found: Message, limit: string): EngineError {
  return new EngineError(parquetMessages.large({ found }), { kind: 'limit', limit })
}
