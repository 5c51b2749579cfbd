import type { ClientBase } from 'pg'

import { FolderNotFoundException } from '../../errors/index.ts'
import { type Folder, folder } from '../../resources/folder.ts'
import { selectionOf } from '../../resources/resource.ts'
import { SCOPES } from '../../scope.ts'
import type { Actor } from '../actor.ts'

type Client = Pick<ClientBase, 'query'>

/** What changes of the tree need to know about a folder. */
export interface FolderNode {
  readonly id: number
  readonly name: string
  readonly root_id: number
  readonly parent_id: number | null
  readonly enterprise_id: number
  readonly client_id: number
  readonly deleted_at: Date | null
}

export async function findNode(
  client: Client,
  actor: Actor,
  uuid: string,
  { orDeleted = false }: { readonly orDeleted?: boolean } = {},
): Promise<FolderNode> {
  const { rows } = await client.query<FolderNode>(
    `select f.id, f.name, f.root_id, f.parent_id, f.enterprise_id, f.client_id, f.deleted_at
     from folders f where f.uuid = $1 and ${SCOPES.folders.rows('f', '$2')}
       and ($3 or f.deleted_at is null)`,
    [uuid, SCOPES.folders.reach(actor), orDeleted],
  )
  if (!rows[0]) throw new FolderNotFoundException()
  return rows[0]
}

export async function showFolder(client: Client, id: number): Promise<Folder> {
  const { rows } = await client.query<Folder>(
    `select ${selectionOf(folder, 'f')} from folders f where f.id = $1`,
    [id],
  )
  if (!rows[0]) throw new FolderNotFoundException()
  return rows[0]
}
