import type { Pool } from 'pg'

export interface FolderWorld {
  /** A super-admin. */
  readonly user: string
  /** A folder in the middle of its tree, and one far down. */
  readonly middle: string
  readonly deep: string
  readonly folders: number
  readonly documents: number
}

const FOLDERS_OF_A_TREE = 100
const DOCUMENTS_OF_A_FOLDER = 10

/** Enterprises with a tree of a hundred folders each, ten documents in each folder. */
export async function makeFolderWorld(pool: Pool, folders: number): Promise<FolderWorld> {
  const trees = Math.ceil(folders / FOLDERS_OF_A_TREE)
  const { rows: users } = await pool.query<{ uuid: string; id: number }>(
    `insert into users (email, name, role_type, account_type)
     values ('bench@demo.test', 'Bench', 'super-admin', 'enterprise') returning uuid, id`,
  )
  const { uuid: user, id: userId } = users[0]!
  await pool.query(
    `insert into enterprises (name, account_type)
     select 'Société ' || md5(n::text), 'enterprise' from generate_series(1, $1) n`,
    [trees],
  )
  await pool.query(
    `insert into folders (name, client_id, enterprise_id, created_by)
     select 'Dossier ' || md5(id::text), $1, id, $1 from enterprises`,
    [userId],
  )
  // Each level doubles the number of parents there are to choose from.
  for (let made = 1; made < FOLDERS_OF_A_TREE; made *= 2) {
    await pool.query(
      `insert into folders (name, client_id, enterprise_id, created_by, parent_id)
       select 'Sous-dossier ' || md5(id::text), client_id, enterprise_id, created_by, id
       from folders where (select count(*) from folders) < $1`,
      [folders],
    )
  }
  await pool.query(
    `insert into documents (enterprise_id, folder_id, bucket, path, original_name, content_type,
                            size_bytes, sha256)
     select enterprise_id, id, 'documents', id || '/' || n, 'Pièce ' || n || '.csv', 'text/csv', 1, ''
     from folders, generate_series(1, $1) n`,
    [DOCUMENTS_OF_A_FOLDER],
  )
  await pool.query('vacuum analyze')
  const { rows: counts } = await pool.query<{ folders: number; documents: number }>(
    `select (select count(*) from folders) as folders, (select count(*) from documents) as documents`,
  )
  const { rows: picked } = await pool.query<{ uuid: string }>(
    `(select uuid from folders where parent_id is null order by id limit 1)
     union all (select uuid from folders order by id desc limit 1)`,
  )
  return { user, middle: picked[0]!.uuid, deep: picked[1]!.uuid, ...counts[0]! }
}
