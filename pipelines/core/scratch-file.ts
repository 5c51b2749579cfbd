import { openSync, rmSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'

/**
 * A file whose name is removed as soon as the system allows it, so that it disappears with its
 * descriptor: a killed process leaves nothing behind.
 */
export interface ScratchFile {
  /** The caller closes it. */
  readonly fd: number
  /** Removes what is left, once its descriptor is closed. */
  remove(): void
}

export function createScratchFile(folder: string): ScratchFile {
  // The file is created exclusively, so any name that is free by chance will do: loading
  // `node:crypto` takes longer than reading a small file.
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
    // Windows does not remove the name of an open file.
    return false
  }
}
