import type { ClientBase } from 'pg'

import { countInto } from './deletion-tally.ts'
import { above } from './folder-sql.ts'

/**
 * Deletes the folders of a tree that contain no document at any depth; folders with documents stay,
 * together with their ancestors. The foreign keys ensure that no document loses its folder.
 */
export async function deleteEmptyFolders(
  client: Pick<ClientBase, 'query'>,
  rootId: number,
  jobUuid: string,
): Promise<{ folderDeleted: boolean }> {
  // The plans for checking the foreign keys may date from when the table was small.
  await client.query('discard plans')
  const { rows } = await client.query<{ root_deleted: boolean }>(
    `with recursive needed as (
       select f.id, f.parent_id from folders f
       where f.root_id = $1 and exists (select from documents d where d.folder_id = f.id)
       union
       select above.* from needed cross join lateral ${above('needed', 'f.id, f.parent_id')}),
     gone as (
       delete from folders where root_id = $1 and id not in (select id from needed) returning id),
     counted as (${countInto('deleted_folders', '$2')})
     select coalesce(bool_or(id = $1), false) as root_deleted from gone`,
    [rootId, jobUuid],
  )
  return { folderDeleted: rows[0]!.root_deleted }
}
