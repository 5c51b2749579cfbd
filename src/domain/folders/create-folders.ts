import type { Knex } from 'knex'

import { createFolderChanges } from './change-folders.ts'
import { createFolderReading, type FolderReadingParts } from './read-folders.ts'

/**
 * The folder tree of each enterprise. A folder that the actor cannot reach is a
 * FolderNotFoundException.
 */
export function createFolders(parts: FolderReadingParts & { readonly knex: Knex }) {
  return { ...createFolderReading(parts), ...createFolderChanges(parts) }
}

export type Folders = ReturnType<typeof createFolders>
