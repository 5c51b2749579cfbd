import type { IncomingMessage } from 'node:http'

const PATIENCE_MS = 2_000

/**
 * Before a body is refused in the middle: an answer and a closed connection would reach a client
 * that still sends as a broken line. What comes meanwhile is thrown away.
 */
export async function letClientFinish(incoming: IncomingMessage): Promise<void> {
  if (incoming.complete || incoming.destroyed) return
  incoming.unpipe()
  incoming.resume()
  const over = Promise.withResolvers<void>()
  const timer = setTimeout(over.resolve, PATIENCE_MS)
  incoming.once('end', over.resolve)
  incoming.once('close', over.resolve)
  // A time-out may be told to the request meanwhile; it is being refused already.
  incoming.on('error', over.resolve)
  try {
    await over.promise
  } finally {
    clearTimeout(timer)
  }
}
