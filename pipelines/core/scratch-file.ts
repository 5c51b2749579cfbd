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
  /** By which it can be opened once more, as long as the descriptor is open and it is not hidden. */
  readonly path: string
  /** Takes away the name, where it still has one and the system takes names of open files away. */
  hide(): void
  /** Removes what is left, once its descriptor is closed. */
  remove(): void
}

/** `again`: it will be opened by its path, which outside of Linux only a name can be. */
export function createScratchFile(folder: string, again: 'once' | 'again' = 'once'): ScratchFile {
  const name = join(folder, `scratch-${randomUUID()}.tmp`)
  const fd = openSync(name, 'wx+', 0o600)
  const path = process.platform === 'linux' ? `/proc/self/fd/${fd}` : name
  let hasName = true
  const hide = () => {
    if (hasName) hasName = !unlinked(name)
  }
  if (again === 'once' || path !== name) hide()
  return {
    fd,
    path,
    hide,
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
