import type { Pool } from 'pg'

import { createFolderChanges } from './change-folders.ts'
import type { Folders } from './folders.ts'
import { createFolderReading } from './read-folders.ts'

export function createFolders({ pool }: { readonly pool: Pool }): Folders {
  return { ...createFolderReading(pool), ...createFolderChanges(pool) }
}
