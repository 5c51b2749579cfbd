import { connect } from 'node:net'

import type { ClientBase } from 'pg'

/** What a server says about a connection when it opens, and needs to hear when asked to cancel. */
interface CancellableClient {
  readonly host: string
  readonly port: number
  readonly processID: number | null
  readonly secretKey: number | null
}

const CANCEL_REQUEST = 80_877_102
const MESSAGE_BYTES = 16

/**
 * Asks the server to stop what the client is doing once the signal aborts. The protocol requires a
 * connection of its own for this, and the server does not answer: the statement either fails or
 * was already done.
 */
export function cancelWhenAborted(client: ClientBase, signal: AbortSignal): Disposable {
  const cancel = () => askToCancel(client as unknown as CancellableClient)
  if (signal.aborted) cancel()
  else signal.addEventListener('abort', cancel, { once: true })
  return { [Symbol.dispose]: () => signal.removeEventListener('abort', cancel) }
}

/**
 * A caller that left while waiting for a connection asks nothing any more, so the connection is
 * returned unused.
 */
export async function releaseIfAborted(
  signal: AbortSignal | undefined,
  release: () => Promise<void> | void,
): Promise<void> {
  if (signal?.aborted !== true) return
  await release()
  throw signal.reason
}

function askToCancel({ host, port, processID, secretKey }: CancellableClient): void {
  if (processID === null || secretKey === null) return
  const message = Buffer.alloc(MESSAGE_BYTES)
  for (const [at, number] of [MESSAGE_BYTES, CANCEL_REQUEST, processID, secretKey].entries()) {
    message.writeInt32BE(number | 0, at * Int32Array.BYTES_PER_ELEMENT)
  }
  const socket = host.startsWith('/')
    ? connect(`${host}/.s.PGSQL.${port}`)
    : connect({ host, port })
  // If the server cannot be reached there is nothing to cancel.
  socket.on('error', () => socket.destroy())
  socket.end(message)
}
