import type { ClientBase } from 'pg'

import { FolderNotFoundException } from '../../errors/index.ts'
import { type Folder, type FolderRow, toFolder } from './folder.ts'
import { inScope, SHOWN_COLUMNS } from './folder-sql.ts'

type Client = Pick<ClientBase, 'query'>

/** What a change of the tree needs to know of a folder. */
export interface FolderNode {
  readonly id: number
  readonly name: string
  readonly root_id: number
  readonly parent_id: number | null
  readonly enterprise_id: number
  readonly client_id: number
  readonly deleted_at: Date | null
}

export interface NodeChoice {
  /** Null: any enterprise. */
  readonly enterpriseScope: number | null
  readonly orDeleted?: boolean
}

export async function findNode(
  client: Client,
  uuid: string,
  { enterpriseScope, orDeleted = false }: NodeChoice,
): Promise<FolderNode> {
  const { rows } = await client.query<FolderNode>(
    `select f.id, f.name, f.root_id, f.parent_id, f.enterprise_id, f.client_id, f.deleted_at
     from folders f where f.uuid = $1 and ${inScope('f', '$2')} and ($3 or f.deleted_at is null)`,
    [uuid, enterpriseScope, orDeleted],
  )
  if (!rows[0]) throw new FolderNotFoundException()
  return rows[0]
}

export async function showFolder(client: Client, id: number): Promise<Folder> {
  const { rows } = await client.query<FolderRow>(
    `select ${SHOWN_COLUMNS} from folders f join enterprises e on e.id = f.enterprise_id
     where f.id = $1`,
    [id],
  )
  if (!rows[0]) throw new FolderNotFoundException()
  return toFolder(rows[0])
}
