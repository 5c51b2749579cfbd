import { Readable } from 'node:stream'

import { CliError } from './cli-error.ts'
import type { OpenedFile } from './opened-file.ts'

/** The server of a file does not deliver it; trying again may help. */
export class RemoteFileError extends Error {
  override readonly name = 'RemoteFileError'
}

export const isAddress = (path: string): boolean => /^https?:\/\//i.test(path)

/**
 * A file at an address that the user of the command can reach. It is requested again for each
 * reading, and closing the connection early saves the rest: previewing only its beginning costs no
 * more than that.
 */
export function openRemoteFile(address: string): OpenedFile {
  const { pathname } = checkedAddress(address)
  return {
    source: {
      kind: 'bytes',
      name: decoded(pathname.split('/').at(-1) ?? ''),
      open: async (signal) => Readable.from(bodyOf(address, signal), { objectMode: false }),
    },
    [Symbol.asyncDispose]: async () => undefined,
  }
}

export function checkedAddress(address: string): URL {
  if (!URL.canParse(address)) throw new CliError(`${withoutQuery(address)} is not an address`)
  const url = new URL(address)
  // The address is not repeated, since it would end up in logs.
  if (url.username !== '' || url.password !== '') {
    throw new CliError(`An address with a user name or a password is not accepted: ${url.host}`)
  }
  return url
}

/**
 * The address in messages and logs. The query of a presigned address would give access to anyone
 * who reads it.
 */
export const withoutQuery = (address: string): string => address.replace(/[?#].*/s, '')

async function* bodyOf(address: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const body = await ask(address, signal)
  try {
    yield* body
  } catch (cause) {
    signal.throwIfAborted()
    throw new RemoteFileError(`${new URL(address).origin} broke off${reasonOf(cause)}`, { cause })
  }
}

const REQUEST_TIMEOUT = 408
const TOO_MANY_REQUESTS = 429
const FIRST_SERVER_ERROR = 500

/** Distinguishes what the user can correct from what may pass with time. */
async function ask(address: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
  const { origin } = new URL(address)
  const response = await fetch(address, { signal }).catch((cause: unknown) => {
    signal.throwIfAborted()
    throw new RemoteFileError(`${origin} cannot be reached${reasonOf(cause)}`, { cause })
  })
  const { ok, body, status } = response
  if (ok && body !== null) return body
  await body?.cancel()
  const isPassing = [REQUEST_TIMEOUT, TOO_MANY_REQUESTS].includes(status)
  const sentence = `${origin} answers ${status} to this address`
  throw isPassing || status >= FIRST_SERVER_ERROR
    ? new RemoteFileError(sentence)
    : new CliError(sentence)
}

function reasonOf(error: unknown): string {
  const { cause } = (error ?? {}) as { cause?: unknown }
  const { code, message } = (cause ?? {}) as Partial<NodeJS.ErrnoException>
  // For example too many redirects, which have no error code.
  const reason = code ?? message
  return reason === undefined ? '' : ` (${reason})`
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // The name is only for people: one that is badly encoded is shown as it is.
    return text
  }
}
