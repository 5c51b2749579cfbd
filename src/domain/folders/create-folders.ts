import type { Pool } from 'pg'

import { createFolderChanges } from './change-folders.ts'
import { createFolderReading } from './read-folders.ts'

/** The tree of each enterprise. What the actor may not reach is a FolderNotFoundException. */
export function createFolders({ pool }: { readonly pool: Pool }) {
  return { ...createFolderReading(pool), ...createFolderChanges(pool) }
}

export type Folders = ReturnType<typeof createFolders>
