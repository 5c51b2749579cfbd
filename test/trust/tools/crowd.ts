import type { World } from '../world.ts'

export interface Crowd {
  /** Has all the documents. */
  readonly owner: { readonly uuid: string }
  readonly rootUuid: string
}

/** Folders and documents by the hundred thousand, as rows alone. */
export async function crowd(world: World, folders: number, documents: number): Promise<Crowd> {
  const { pool, people, build } = world
  const enterprise = await build.enterprise({ name: 'Crowd' })
  const owner = await build.user({ role: 'client', enterprise })
  const { rows } = await pool.query<{ id: string; uuid: string }>(
    `insert into folders (name, client_id, enterprise_id, created_by)
     values ('Crowd', $1, $2, $1) returning id, uuid`,
    [people.superAdmin.id, enterprise.id],
  )
  const root = rows[0]!
  await pool.query(
    `insert into folders (name, client_id, enterprise_id, created_by, parent_id)
     select 'Folder ' || n, $1, $2, $1, $3 from generate_series(1, $4::int) n`,
    [people.superAdmin.id, enterprise.id, root.id, folders],
  )
  await pool.query(
    `with made as (
       insert into documents (enterprise_id, folder_id, bucket, path, original_name, content_type,
         size_bytes, sha256)
       select $1, $2, 'crowd', 'crowd/' || n, 'Document ' || n || '.csv', 'text/csv', 1,
              repeat('0', 64)
       from generate_series(1, $3::int) n returning id)
     insert into users_documents (user_id, document_id) select $4, id from made`,
    [enterprise.id, root.id, documents, owner.id],
  )
  await pool.query('analyze folders, documents, users_documents')
  return { owner, rootUuid: root.uuid }
}
