import type { IncomingMessage } from 'node:http'

const PATIENCE_MS = 2_000

/**
 * Called before a body is refused halfway: a client that is still sending would see the answer and
 * the closed connection as a broken connection. The rest of the body is read and thrown away.
 */
export async function letClientFinish(incoming: IncomingMessage): Promise<void> {
  if (incoming.complete || incoming.destroyed) return
  incoming.unpipe()
  incoming.resume()
  const over = Promise.withResolvers<void>()
  const timer = setTimeout(over.resolve, PATIENCE_MS)
  incoming.once('end', over.resolve)
  incoming.once('close', over.resolve)
  // A time-out may be reported to the request meanwhile; it is already being refused.
  incoming.on('error', over.resolve)
  try {
    await over.promise
  } finally {
    clearTimeout(timer)
  }
}
