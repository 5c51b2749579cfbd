import { execFile } from 'node:child_process'
import { open, rm, rmdir, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { makeFolder } from '../../support/folder.ts'

const run = promisify(execFile)
const PIECE_BYTES = 1024 * 1024

/** A disk of its own size, which can be full without hurting anybody else. */
export interface SmallDisk extends AsyncDisposable {
  readonly folder: string
  /** Takes all room but so much. */
  fill(leaveBytes: number): Promise<void>
  empty(): Promise<void>
}

/** Throws where the machine allows no mounts. */
export async function mountSmallDisk(sizeBytes: number): Promise<SmallDisk> {
  const folder = await makeFolder('small-disk')
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${sizeBytes},mode=0755`, 'tmpfs', folder])
  } catch (error) {
    await rmdir(folder)
    throw new Error('this machine allows no mounts', { cause: error })
  }
  const filler = join(folder, 'filler')
  return {
    folder,
    async fill(leaveBytes) {
      const { bavail, bsize } = await statfs(folder)
      const file = await open(filler, 'w')
      try {
        for (let left = bavail * bsize - leaveBytes; left > 0; left -= PIECE_BYTES) {
          await file.write(Buffer.alloc(Math.min(left, PIECE_BYTES), 1))
        }
      } finally {
        await file.close()
      }
    },
    empty: () => rm(filler, { force: true }),
    async [Symbol.asyncDispose]() {
      // Whatever still has a file open there keeps it until it ends.
      await run('umount', ['--lazy', folder])
      await rmdir(folder)
    },
  }
}
