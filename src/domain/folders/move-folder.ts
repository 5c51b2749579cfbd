import type { PoolClient } from 'pg'

import { FolderMoveConflictException, invalidField } from '../../errors/index.ts'
import type { Folder } from '../../resources/folder.ts'
import type { Actor } from '../actor.ts'
import { above } from './folder-sql.ts'
import { findNode, type FolderNode, showFolder } from './find-folder.ts'
import { folderMessages } from './folder-messages.ts'

/** Must run under the lock of the tree, so that two simultaneous moves cannot form a circle. */
export async function moveFolder(
  client: PoolClient,
  actor: Actor,
  folder: FolderNode,
  parentUuid: string,
): Promise<Folder> {
  const parent = await findNode(client, actor, parentUuid)
  // Two active trees never belong to the same enterprise.
  if (parent.root_id !== folder.root_id) {
    throw invalidField('/parentUuid', folderMessages.otherEnterprise())
  }
  if (await isBelow(client, parent.id, folder.id)) throw new FolderMoveConflictException()
  await client.query('update folders set parent_id = $2, updated_at = now() where id = $1', [
    folder.id,
    parent.id,
  ])
  return showFolder(client, folder.id)
}

/** Whether a folder is the other one, or is somewhere below it. */
async function isBelow(client: PoolClient, id: number, ancestorId: number): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>(
    `with recursive path as (
       select id, parent_id from folders where id = $1
       union all
       select above.* from path cross join lateral ${above('path', 'f.id, f.parent_id')})
     select exists (select from path where id = $2) as found`,
    [id, ancestorId],
  )
  return rows[0]!.found
}
