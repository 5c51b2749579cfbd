// Trees are walked folder by folder, through an index. Otherwise the planner may expect few, large
// steps, and read the whole table in each of ten thousand; `offset 0` leaves it no choice.

/** The folders below one, including itself; `more` decides which of them to enter. */
export const subtree = (more: string) => `
  with recursive subtree as (
    select id from folders where id = $1
    union all
    select below.id from subtree cross join lateral (
      select f.id, f.deleted_at from folders f where f.parent_id = subtree.id offset 0) below
    where ${more})`

/** The parents of the rows of `path`, which has `parent_id`. */
export const above = (path: string, columns: string) => `
  (select ${columns} from folders f where f.id = ${path}.parent_id offset 0) above`
