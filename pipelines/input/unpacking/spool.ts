import { createReadStream } from 'node:fs'

import { createScratchFile } from '../../core/scratch-file.ts'
import type { ByteSource } from '../../core/source.ts'
import { closeFd, writeAll } from '../archive/local-file.ts'
import type { ByteFlow } from '../byte-flow.ts'

/** A copy on disk of what was packed: archives are read from their end. */
export interface SpooledFile {
  readonly source: ByteSource & { readonly path: string }
  readonly size: number
  /** Takes away its name, once whoever reads it has opened it. */
  hide(): void
  remove(): Promise<void>
}

/** Writes all of the flow to a file of ours, and closes the flow. */
export async function spool(flow: ByteFlow, tempDir: string): Promise<SpooledFile> {
  try {
    const file = createScratchFile(tempDir, 'again')
    const { path, hide } = file
    const remove = async () => {
      await closeFd(file.fd)
      file.remove()
    }
    let size = 0
    try {
      for (let chunk = await flow.next(); chunk !== null; chunk = await flow.next()) {
        await writeAll(file.fd, chunk)
        size += chunk.length
      }
    } catch (error) {
      await remove()
      throw error
    }
    const open = async (signal: AbortSignal) => createReadStream(path, { signal })
    return { source: { kind: 'bytes', size, path, open }, size, hide, remove }
  } finally {
    await flow.close()
  }
}
