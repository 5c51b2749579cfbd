import { close, open, write } from 'node:fs'
import { promisify } from 'node:util'

import type { ReadContext } from '../../core/reader.ts'
import { createScratchFile } from '../../core/scratch-file.ts'
import type { ByteSource } from '../../core/source.ts'
import { openFlow } from '../open-flow.ts'

const openFd = promisify(open)
const writeFd = promisify(write)
export const closeFd = promisify(close)

export interface LocalFile {
  /** The caller's to close. */
  readonly fd: number
  /** Source bytes that were copied to get here. */
  readonly copied: number
  /** Removes what is left of a copy, once its descriptor is closed. */
  remove(): void
}

/** A zip is read from its end, so it has to be a file: the source's own, or a copy of its stream. */
export async function openLocalFile(source: ByteSource, context: ReadContext): Promise<LocalFile> {
  if (source.path !== undefined) {
    return { fd: await openFd(source.path, 'r'), copied: 0, remove: () => {} }
  }
  const flow = await openFlow(source, context.signal)
  try {
    const file = createScratchFile(context.tempDir)
    try {
      for (let chunk = await flow.next(); chunk !== null; chunk = await flow.next()) {
        await writeAll(file.fd, chunk)
      }
      return { fd: file.fd, copied: flow.bytesRead, remove: file.remove }
    } catch (error) {
      await closeFd(file.fd)
      file.remove()
      throw error
    }
  } finally {
    await flow.close()
  }
}

export async function writeAll(fd: number, bytes: Buffer): Promise<void> {
  for (let from = 0; from < bytes.length;) {
    const { bytesWritten } = await writeFd(fd, bytes, from)
    from += bytesWritten
  }
}
