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
  // Made exclusively, so a name that nobody else has by chance will do: `node:crypto` takes longer to load
  // than a small file takes to be read.
  const name = join(folder, `scratch-${Math.random().toString(36).slice(2)}.tmp`)
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
