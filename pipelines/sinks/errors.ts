import { EngineError } from '../core/errors.ts'
import { sinkMessages } from './sink-messages.ts'
import type { Message } from '../core/message.ts'

/**
 * The database refused, or the connection broke or was closed. The cause is the error of
 * PostgreSQL or of the socket.
 */
export class SinkError extends Error {
  override readonly name: string = 'SinkError'
}

/**
 * The connection broke exactly at COMMIT and the database could not be asked afterwards. The rows
 * may or may not be visible, so the caller must check before trying again.
 */
export class OutcomeUnknownError extends SinkError {
  override readonly name = 'OutcomeUnknownError'
  readonly transactionId: string

  constructor(transactionId: string, options: ErrorOptions) {
    super('The connection was lost while the load was being committed', options)
    this.transactionId = transactionId
  }
}

/** PostgreSQL's codes for a table or a row that is larger than it can store. */
const TOO_LARGE: Readonly<
  Record<string, { readonly limit: string; readonly text: (told: { reason: string }) => Message }>
> = {
  '54000': {
    limit: 'row',
    text: sinkMessages.wideRow,
  },
  '54011': { limit: 'columns', text: sinkMessages.manyColumns },
}

/** Names what the sink was doing, and distinguishes faults of the input from trouble in the database. */
export function asSinkError(error: unknown, doing: string): Error {
  if (error instanceof EngineError || error instanceof SinkError) return error
  const { code, message } = error as { code?: string; message: string }
  const tooLarge = code === undefined ? undefined : TOO_LARGE[code]
  if (tooLarge !== undefined) {
    const { text, limit } = tooLarge
    return new EngineError(text({ reason: message }), { kind: 'limit', limit }, { cause: error })
  }
  return new SinkError(`The database failed while ${doing}`, { cause: error })
}

/** Runs a step of the sink; PostgreSQL's errors are thrown as the engine's own. */
export async function sinkStep<T>(doing: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step()
  } catch (error) {
    throw asSinkError(error, doing)
  }
}
