import { makeFolderWorld } from '../../../benchmarks/generators/folder-world.ts'
import type { World } from '../world.ts'

export interface Crowd {
  /** A super-admin. */
  readonly boss: { readonly uuid: string }
  /** Has some of the documents. */
  readonly owner: { readonly uuid: string }
  readonly rootUuid: string
  /** Far down. */
  readonly folderUuid: string
}

const DOCUMENTS_OF_OWNER = 1_000

/** Folders by the hundred thousand and ten documents in each, as rows alone. */
export async function gather({ pool, build }: World, folders: number): Promise<Crowd> {
  const { user, middle, deep } = await makeFolderWorld(pool, folders)
  const owner = await build.user({ role: 'client' })
  await pool.query(
    `insert into users_documents (user_id, document_id, created_at)
     select $1, id, created_at from documents order by id limit $2`,
    [owner.id, DOCUMENTS_OF_OWNER],
  )
  await pool.query('analyze users_documents')
  return { boss: { uuid: user }, owner, rootUuid: middle, folderUuid: deep }
}

/** Rows of documents that never had a file would look like lost ones. */
export async function disperse({ pool }: World): Promise<void> {
  await pool.query(`delete from documents where sha256 = ''`)
}
