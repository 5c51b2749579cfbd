import { createFolderChanges } from './change-folders.ts'
import { createFolderReading, type FolderReadingParts } from './read-folders.ts'

/** The tree of each enterprise. What the actor may not reach is a FolderNotFoundException. */
export function createFolders(parts: FolderReadingParts) {
  return { ...createFolderReading(parts), ...createFolderChanges(parts.pool) }
}

export type Folders = ReturnType<typeof createFolders>
