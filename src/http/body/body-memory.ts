import type { IncomingMessage } from 'node:http'

import type { GiveBack } from '../../storage/give-back.ts'

/**
 * Frees what a body was received in, as soon as it was read. V8 would do so when it next collects: by
 * then a crowd of uploads has piled up some hundred megabytes, which malloc keeps for good.
 *
 * What is given back may be a part of what was received, and another part be still to come. So it is
 * freed when its reader has moved on to what was received after it.
 */
export function lendBody(incoming: IncomingMessage): GiveBack {
  const lent = new WeakSet<ArrayBufferLike>()
  incoming.on('data', (chunk: Buffer) => {
    if (ownsItsMemory(chunk)) lent.add(chunk.buffer)
  })
  let latest: Uint8Array | null = null
  return (bytes) => {
    if (bytes.buffer === latest?.buffer || !lent.has(bytes.buffer)) return
    if (latest !== null) {
      lent.delete(latest.buffer)
      free(latest)
    }
    latest = bytes
  }
}

/** Reads on without looking. */
export function throwBodyAway(incoming: IncomingMessage): void {
  incoming.on('data', (chunk: Buffer) => {
    if (ownsItsMemory(chunk)) free(chunk)
  })
  incoming.resume()
}

const ownsItsMemory = ({ byteLength, buffer }: Uint8Array): boolean =>
  byteLength === buffer.byteLength

/** Whoever looks at it after all finds it empty. */
function free({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer) buffer.transfer(0)
}
