import { randomUUID } from 'node:crypto'
import { openSync, rmSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'

/**
 * A file of ours that has lost its name as soon as the system allows it, and goes with its
 * descriptor: a process that is killed leaves nothing behind.
 */
export interface ScratchFile {
  /** The caller's to close. */
  readonly fd: number
  /** Removes what is left, once its descriptor is closed. */
  remove(): void
}

export function createScratchFile(folder: string): ScratchFile {
  const name = join(folder, `scratch-${randomUUID()}.tmp`)
  const fd = openSync(name, 'wx+', 0o600)
  const hasName = !unlinked(name)
  return {
    fd,
    remove: () => {
      if (hasName) rmSync(name, { force: true })
    },
  }
}

function unlinked(path: string): boolean {
  try {
    unlinkSync(path)
    return true
  } catch {
    // Windows keeps the name of an open file.
    return false
  }
}
