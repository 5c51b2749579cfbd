import { randomUUID } from 'node:crypto'
import { close, createWriteStream, open } from 'node:fs'
import { rm, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'

import type { ReadContext } from '../../core/reader.ts'
import type { ByteSource } from '../../core/source.ts'

const openFd = promisify(open)
export const closeFd = promisify(close)

/** A file of ours that vanishes with its descriptor where the system allows it, else at `remove`. */
export interface TemporaryFile {
  readonly fd: number
  /** Removes what is left of the file; its descriptor is the caller's to close. */
  remove(): Promise<void>
}

export interface LocalFile extends TemporaryFile {
  /** Source bytes that were copied to get here. */
  readonly copied: number
}

/** A zip is read from its end, so it has to be a file: the source's own, or a copy of its stream. */
export async function openLocalFile(source: ByteSource, context: ReadContext): Promise<LocalFile> {
  if (source.path !== undefined) {
    return { fd: await openFd(source.path, 'r'), copied: 0, remove: async () => {} }
  }
  const file = await createTemporaryFile(context.tempDir)
  try {
    const copy = createWriteStream('', { fd: file.fd, autoClose: false })
    await pipeline(await source.open(context.signal), copy, { signal: context.signal })
    return { ...file, copied: copy.bytesWritten }
  } catch (error) {
    await closeFd(file.fd)
    await file.remove()
    throw error
  }
}

export async function createTemporaryFile(folder: string): Promise<TemporaryFile> {
  const path = join(folder, `workbook-${randomUUID()}.tmp`)
  const fd = await openFd(path, 'wx+', 0o600)
  const unlinked = await unlink(path).then(
    () => true,
    // Windows keeps the name of an open file.
    () => false,
  )
  return {
    fd,
    remove: async () => {
      if (!unlinked) await rm(path, { force: true })
    },
  }
}
