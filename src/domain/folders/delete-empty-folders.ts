import type { ClientBase } from 'pg'

/**
 * Deletes the folders of a tree that hold no document, at any depth: those that hold one stay, with
 * all above them. The foreign keys see to it that nothing is torn from under a document.
 */
export async function deleteEmptyFolders(
  client: Pick<ClientBase, 'query'>,
  rootId: number,
): Promise<{ folderDeleted: boolean; deletedFolders: number }> {
  const { rows } = await client.query<{ deleted: number; root_deleted: boolean }>(
    `with recursive needed as (
       select f.id, f.parent_id from folders f
       where f.root_id = $1 and exists (select from documents d where d.folder_id = f.id)
       union
       select f.id, f.parent_id from folders f join needed on f.id = needed.parent_id),
     gone as (
       delete from folders where root_id = $1 and id not in (select id from needed) returning id)
     select count(*) as deleted, coalesce(bool_or(id = $1), false) as root_deleted from gone`,
    [rootId],
  )
  const { deleted, root_deleted: folderDeleted } = rows[0]!
  return { folderDeleted, deletedFolders: deleted }
}
