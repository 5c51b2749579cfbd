import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'

import { CliError } from './cli-error.ts'
import type { OpenedFile } from './opened-file.ts'

/**
 * A file behind an address that whoever types the command may reach. It is asked for each time it is
 * read, and what is not read is not sent: a look at its beginning costs no more than that.
 */
export function openRemoteFile(address: string): OpenedFile {
  return {
    source: {
      kind: 'bytes',
      name: decodeURIComponent(new URL(address).pathname.split('/').at(-1) ?? ''),
      open: async (signal) => {
        const response = await ask(address, signal)
        return Readable.fromWeb(response.body as ReadableStream<Uint8Array>)
      },
    },
    [Symbol.asyncDispose]: async () => undefined,
  }
}

async function ask(address: string, signal: AbortSignal): Promise<Response> {
  const { origin } = new URL(address)
  const response = await fetch(address, { signal }).catch((cause: unknown) => {
    signal.throwIfAborted()
    throw new CliError(`${origin} cannot be reached`, { cause })
  })
  if (response.ok && response.body !== null) return response
  await response.body?.cancel()
  throw new CliError(`${origin} answers ${response.status} to this address`)
}
