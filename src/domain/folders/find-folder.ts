import type { QueryBuilderType } from 'objection'

import { FolderNotFoundException } from '../../errors/index.ts'
import type { FolderModel } from '../../models/folder.ts'
import type { Actor } from '../actor.ts'

/** What changes of the tree need to know about a folder. */
const NODE = [
  'id',
  'name',
  'root_id',
  'parent_id',
  'enterprise_id',
  'client_id',
  'deleted_at',
] as const
export type FolderNode = Readonly<Pick<FolderModel, (typeof NODE)[number]>>

export async function findNode(
  folders: QueryBuilderType<FolderModel>,
  actor: Actor,
  uuid: string,
  { orDeleted = false }: { readonly orDeleted?: boolean } = {},
): Promise<FolderNode> {
  const reached = folders.visibleTo(actor)
  const found = await (orDeleted ? reached : reached.notDeleted()).byUuid(uuid).select(...NODE)
  if (!found) throw new FolderNotFoundException()
  return found
}
