import type { AccountType } from '../actor.ts'

/** A folder with what is shown beside it. */
export interface Folder {
  readonly id: number
  readonly uuid: string
  readonly name: string
  readonly clientId: number
  readonly enterpriseId: number
  readonly createdBy: number
  readonly parentId: number | null
  readonly parentUuid: string | null
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly deletedAt: Date | null
  readonly enterprise: FolderEnterprise
  /** What lies directly in it. */
  readonly documentCount: number
  readonly childCount: number
}

export interface FolderEnterprise {
  readonly id: number
  readonly uuid: string
  readonly name: string
  readonly accountType: AccountType
}

export interface FolderRow {
  id: number
  uuid: string
  name: string
  client_id: number
  enterprise_id: number
  created_by: number
  parent_id: number | null
  parent_uuid: string | null
  created_at: Date
  updated_at: Date
  deleted_at: Date | null
  enterprise_uuid: string
  enterprise_name: string
  enterprise_account_type: AccountType
  document_count: number
  child_count: number
}

export function toFolder(row: FolderRow): Folder {
  return {
    id: row.id,
    uuid: row.uuid,
    name: row.name,
    clientId: row.client_id,
    enterpriseId: row.enterprise_id,
    createdBy: row.created_by,
    parentId: row.parent_id,
    parentUuid: row.parent_uuid,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    deletedAt: row.deleted_at,
    enterprise: {
      id: row.enterprise_id,
      uuid: row.enterprise_uuid,
      name: row.enterprise_name,
      accountType: row.enterprise_account_type,
    },
    documentCount: row.document_count,
    childCount: row.child_count,
  }
}
