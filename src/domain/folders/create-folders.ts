import { createFolderChanges } from './change-folders.ts'
import { createFolderReading, type FolderReadingParts } from './read-folders.ts'

/**
 * The folder tree of each enterprise. A folder that the actor cannot reach is a
 * FolderNotFoundException.
 */
export function createFolders(parts: FolderReadingParts) {
  return { ...createFolderReading(parts), ...createFolderChanges(parts.pool) }
}

export type Folders = ReturnType<typeof createFolders>
