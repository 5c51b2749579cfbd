import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, rm, unlink } from 'node:fs/promises'
import { join } from 'node:path'

import type { ByteSource } from '../../core/source.ts'
import type { ByteFlow } from '../byte-flow.ts'

/** A copy on disk of what was packed: archives are read from their end. */
export interface SpooledFile {
  readonly source: ByteSource & { readonly path: string }
  readonly size: number
  /** Takes away its name, once whoever reads it has opened it; where the system keeps it, nothing. */
  hide(): Promise<void>
  remove(): Promise<void>
}

/** Writes all of the flow to a file of ours, and closes the flow. */
export async function spool(flow: ByteFlow, tempDir: string): Promise<SpooledFile> {
  const path = join(tempDir, `unpacked-${randomUUID()}.tmp`)
  const remove = () => rm(path, { force: true })
  let size = 0
  try {
    await using file = await open(path, 'wx', 0o600)
    for (let chunk = await flow.next(); chunk !== null; chunk = await flow.next()) {
      await file.writeFile(chunk)
      size += chunk.length
    }
  } catch (error) {
    await remove()
    throw error
  } finally {
    await flow.close()
  }
  return {
    source: {
      kind: 'bytes',
      size,
      path,
      open: async (signal) => createReadStream(path, { signal }),
    },
    size,
    hide: async () => {
      // Windows keeps the name of an open file; `remove` takes it away later.
      await unlink(path).catch((reason: unknown) => reason)
    },
    remove,
  }
}
