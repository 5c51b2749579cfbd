import { randomUUID } from 'node:crypto'
import { close, open, write } from 'node:fs'
import { rm, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

import type { ReadContext } from '../../core/reader.ts'
import type { ByteSource } from '../../core/source.ts'
import { openFlow } from '../open-flow.ts'

const openFd = promisify(open)
const writeFd = promisify(write)
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
  const flow = await openFlow(source, context.signal)
  try {
    const file = await createTemporaryFile(context.tempDir)
    try {
      for (let chunk = await flow.next(); chunk !== null; chunk = await flow.next()) {
        await writeAll(file.fd, chunk)
      }
      return { ...file, copied: flow.bytesRead }
    } catch (error) {
      await closeFd(file.fd)
      await file.remove()
      throw error
    }
  } finally {
    await flow.close()
  }
}

async function writeAll(fd: number, bytes: Buffer): Promise<void> {
  for (let from = 0; from < bytes.length;) {
    const { bytesWritten } = await writeFd(fd, bytes, from)
    from += bytesWritten
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
