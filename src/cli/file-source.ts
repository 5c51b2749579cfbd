import { constants, createReadStream, createWriteStream, type Stats } from 'node:fs'
import { access, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { addAbortSignal, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import type { ByteSource } from '../../pipelines/index.ts'
import { hasCode } from '../errors/system-codes.ts'
import { openFolder } from '../start/writable-folder.ts'
import { CliError } from './cli-error.ts'
import type { OpenedFile } from './opened-file.ts'
import { checkedAddress, isAddress, openRemoteFile, withoutQuery } from './remote-file.ts'

const READ_AT_ONCE_BYTES = 256 * 1024
const KEPT_IN_MEMORY_BYTES = 16 * 1024 * 1024

/**
 * Opens the file itself. Input that can be read only once, such as standard input, is spooled,
 * since a load may start again.
 */
export async function openFile(
  path: string,
  stdin: Readable,
  signal: AbortSignal,
): Promise<OpenedFile> {
  if (path === '-') return spool(stdin, signal)
  if (isAddress(path)) return openRemoteFile(path)
  if (!(await checked(path)).isFile()) return spool(createReadStream(path), signal)
  return { source: await fileSource(resolve(path), basename(path)), [Symbol.asyncDispose]: nothing }
}

/** The name of a file in messages. */
export const shownFile = (path: string): string => (isAddress(path) ? withoutQuery(path) : path)

/** Reports a wrong path before any of the files is read. */
export async function checkFiles(paths: readonly string[]): Promise<void> {
  if (paths.indexOf('-') !== paths.lastIndexOf('-')) {
    throw new CliError('Standard input can be read only once: give - once')
  }
  for (const path of paths) {
    if (isAddress(path)) checkedAddress(path)
    else if (path !== '-') await checked(path)
  }
}

async function checked(path: string): Promise<Stats> {
  try {
    const stats = await stat(path)
    if (stats.isDirectory()) throw new CliError(`${path} is a folder: name a file in it`)
    await access(path, constants.R_OK)
    return stats
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) {
      throw new CliError(`There is no file ${path}`, { cause: error })
    }
    if (hasCode(error, 'EACCES')) throw new CliError(`${path} may not be read`, { cause: error })
    const { code } = error as NodeJS.ErrnoException
    if (code !== undefined) throw new CliError(`${path} cannot be read (${code})`, { cause: error })
    throw error
  }
}

/** Short input is kept in memory, so that no writable folder is needed. */
async function spool(stdin: Readable, signal: AbortSignal): Promise<OpenedFile> {
  const kept: Buffer[] = []
  let keptBytes = 0
  const pieces = addAbortSignal(signal, stdin).iterator({ destroyOnReturn: false })
  for await (const piece of pieces as AsyncIterable<Buffer>) {
    kept.push(piece)
    keptBytes += piece.length
    if (keptBytes > KEPT_IN_MEMORY_BYTES) return spoolToDisk(kept, stdin, signal)
  }
  return { source: memorySource(kept, keptBytes), [Symbol.asyncDispose]: nothing }
}

async function spoolToDisk(
  begun: readonly Buffer[],
  rest: Readable,
  signal: AbortSignal,
): Promise<OpenedFile> {
  const folder = await mkdtemp(join(await openFolder(tmpdir(), 'TMPDIR'), 'ingest-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    const path = join(folder, 'stdin')
    const whole = async function* () {
      yield* begun
      yield* rest
    }
    await pipeline(whole, createWriteStream(path, { mode: 0o600 }), { signal })
    return { source: await fileSource(path, 'stdin'), [Symbol.asyncDispose]: remove }
  } catch (error) {
    await remove()
    throw error
  }
}

const memorySource = (pieces: readonly Buffer[], size: number): ByteSource => ({
  kind: 'bytes',
  name: 'stdin',
  size,
  // Copies, since the engine overwrites the bytes that it reads, and may start again.
  open: async () => Readable.from(copiesOf(pieces), { objectMode: false }),
})

function* copiesOf(pieces: readonly Buffer[]): Generator<Buffer> {
  for (const piece of pieces) yield Buffer.from(piece)
}

async function fileSource(path: string, name: string): Promise<ByteSource> {
  const { size } = await stat(path)
  return {
    kind: 'bytes',
    name,
    size,
    path,
    open: async (signal) => createReadStream(path, { highWaterMark: READ_AT_ONCE_BYTES, signal }),
  }
}

async function nothing(): Promise<void> {}
