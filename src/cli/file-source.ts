import { constants, createReadStream, createWriteStream, type Stats } from 'node:fs'
import { access, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import type { ByteSource } from '../../pipelines/index.ts'
import { CliError } from './cli-error.ts'

const READ_AT_ONCE_BYTES = 256 * 1024

export interface OpenedFile extends AsyncDisposable {
  readonly source: ByteSource
}

/** The file itself. What can be read only once, such as standard input, is kept: a load may restart. */
export async function openFile(
  path: string,
  stdin: Readable,
  signal: AbortSignal,
): Promise<OpenedFile> {
  if (path === '-') return spool(stdin, signal)
  if (!(await checked(path)).isFile()) return spool(createReadStream(path), signal)
  return { source: await fileSource(resolve(path), basename(path)), [Symbol.asyncDispose]: nothing }
}

/** What is wrong with a path is told before anything is begun. */
async function checked(path: string): Promise<Stats> {
  try {
    const stats = await stat(path)
    if (stats.isDirectory()) throw new CliError(`${path} is a folder: name a file in it`)
    await access(path, constants.R_OK)
    return stats
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      throw new CliError(`There is no file ${path}`, { cause: error })
    }
    if (code === 'EACCES') throw new CliError(`${path} may not be read`, { cause: error })
    throw error
  }
}

async function spool(stdin: Readable, signal: AbortSignal): Promise<OpenedFile> {
  const folder = await mkdtemp(join(tmpdir(), 'ingest-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    const path = join(folder, 'stdin')
    await pipeline(stdin, createWriteStream(path, { mode: 0o600 }), { signal })
    return { source: await fileSource(path, 'stdin'), [Symbol.asyncDispose]: remove }
  } catch (error) {
    await remove()
    throw error
  }
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
