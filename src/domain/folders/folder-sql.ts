/** A folder as `FolderRow`, from a row `f` of folders; counted for the rows that are shown alone. */
export const SHOWN_COLUMNS = `
  f.id, f.uuid, f.name, f.client_id, f.enterprise_id, f.created_by, f.parent_id, f.created_at,
  f.updated_at, f.deleted_at,
  (select p.uuid from folders p where p.id = f.parent_id) as parent_uuid,
  e.uuid as enterprise_uuid, e.name as enterprise_name, e.account_type as enterprise_account_type,
  (select count(*) from documents d where d.folder_id = f.id) as document_count,
  (select count(*) from folders c where c.parent_id = f.id and c.deleted_at is null) as child_count`

// Trees are walked folder by folder, through an index. Left to itself the planner may expect few
// and large steps, and read the whole table at each of ten thousand; `offset 0` leaves it no choice.

/** The folders below one, itself first; `more` says which of them to enter. */
export const subtree = (more: string) => `
  with recursive subtree as (
    select id from folders where id = $1
    union all
    select below.id from subtree cross join lateral (
      select f.id, f.deleted_at from folders f where f.parent_id = subtree.id offset 0) below
    where ${more})`

/** What lies above the rows of `path`, which has `parent_id`. */
export const above = (path: string, columns: string) => `
  (select ${columns} from folders f where f.id = ${path}.parent_id offset 0) above`
