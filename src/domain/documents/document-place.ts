import type { Queries } from '../../db/in-turn.ts'
import { FolderNotFoundException } from '../../errors/index.ts'
import { SCOPES } from '../../scope.ts'
import type { Actor } from '../actor.ts'
import { lockTree } from '../folders/tree-lock.ts'

/** Where a document belongs: to the enterprise of its folder, otherwise to that of the uploader. */
interface DocumentPlace {
  readonly folderId: number | null
  readonly enterpriseId: number | null
}

interface FolderRow {
  id: number
  root_id: number
  enterprise_id: number
}

const FIND_FOLDER = `
  select id, root_id, enterprise_id from folders f
  where uuid = $1 and deleted_at is null and ${SCOPES.folders.rows('f', '$2')}`

/** Folders that the actor cannot reach are refused as if they did not exist. */
export async function findPlace(
  client: Queries,
  actor: Actor,
  folderUuid: string | undefined,
): Promise<DocumentPlace & { readonly rootId: number | null }> {
  if (folderUuid === undefined) {
    return { folderId: null, rootId: null, enterpriseId: actor.enterprise?.id ?? null }
  }
  const { rows } = await client.query<FolderRow>(FIND_FOLDER, [
    folderUuid,
    SCOPES.folders.reach(actor),
  ])
  const [folder] = rows
  if (!folder) throw new FolderNotFoundException()
  return { folderId: folder.id, rootId: folder.root_id, enterpriseId: folder.enterprise_id }
}

/** The same inside a transaction; the folder cannot change until its end. */
export async function holdPlace(
  client: Queries,
  actor: Actor,
  folderUuid: string | undefined,
): Promise<DocumentPlace> {
  const seen = await findPlace(client, actor, folderUuid)
  if (seen.rootId === null) return seen
  await lockTree(client, seen.rootId, 'to-add')
  return findPlace(client, actor, folderUuid)
}
