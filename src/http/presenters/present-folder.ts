import { Type } from 'typebox'

import type { RootDeletionResult } from '../../domain/folders/root-deletion.ts'
import type { Folder } from '../../domain/folders/folder.ts'
import type { EligibleEnterprise } from '../../domain/folders/folders.ts'
import { ACCOUNT_TYPES } from '../../domain/actor.ts'
import { named, nullable, strictObject, timestamp, uuid } from '../schemas.ts'
import { actorEnterpriseSchema } from './present-actor.ts'

/** Folders keep the names of their columns. */
const folderProperties = {
  uuid: uuid(),
  name: Type.String(),
  client_id: Type.Integer(),
  enterprise_id: Type.Integer(),
  created_by: Type.Integer(),
  parent_id: nullable(Type.Integer({ description: 'Null: a root' })),
  parentUuid: nullable(uuid()),
  created_at: timestamp(),
  updated_at: timestamp(),
  deleted_at: nullable(timestamp()),
  enterprise: actorEnterpriseSchema,
  documentCount: Type.Integer({ minimum: 0, description: 'Documents that lie directly in it' }),
  childCount: Type.Integer({ minimum: 0, description: 'Folders that lie directly in it' }),
}

export const folderSchema = named('Folder', strictObject(folderProperties))

export const folderWithChildrenSchema = named(
  'FolderWithChildren',
  strictObject({ ...folderProperties, children: Type.Array(folderSchema) }),
)

export function presentFolder(folder: Folder) {
  return {
    uuid: folder.uuid,
    name: folder.name,
    client_id: folder.clientId,
    enterprise_id: folder.enterpriseId,
    created_by: folder.createdBy,
    parent_id: folder.parentId,
    parentUuid: folder.parentUuid,
    created_at: folder.createdAt.toISOString(),
    updated_at: folder.updatedAt.toISOString(),
    deleted_at: folder.deletedAt?.toISOString() ?? null,
    enterprise: {
      id: folder.enterprise.id,
      uuid: folder.enterprise.uuid,
      name: folder.enterprise.name,
      accountType: folder.enterprise.accountType,
    },
    documentCount: folder.documentCount,
    childCount: folder.childCount,
  }
}

export const breadcrumbSchema = named(
  'Breadcrumb',
  strictObject({ items: Type.Array(strictObject({ uuid: uuid(), name: Type.String() })) }),
)

export const eligibleEnterpriseSchema = named(
  'EligibleEnterprise',
  strictObject({
    id: Type.Integer(),
    uuid: uuid(),
    name: Type.String(),
    accountType: Type.Enum(ACCOUNT_TYPES),
    hasFolder: Type.Boolean({ description: 'It has an active root folder already' }),
  }),
)

export function presentEligibleEnterprise(enterprise: EligibleEnterprise) {
  return {
    id: enterprise.id,
    uuid: enterprise.uuid,
    name: enterprise.name,
    accountType: enterprise.accountType,
    hasFolder: enterprise.hasFolder,
  }
}

export const rootDeletionSchema = named(
  'RootDeletion',
  strictObject({
    folderDeleted: Type.Boolean({ description: 'False while documents are left in the tree' }),
    deletedFolders: Type.Integer({ minimum: 0 }),
    deletedDocuments: Type.Integer({ minimum: 0 }),
    failedDocuments: Type.Array(strictObject({ uuid: uuid(), reason: Type.String() })),
    notified: Type.Boolean({ description: 'A mail went to whoever began it' }),
  }),
)

export function presentRootDeletion(result: RootDeletionResult) {
  return {
    folderDeleted: result.folderDeleted,
    deletedFolders: result.deletedFolders,
    deletedDocuments: result.deletedDocuments,
    failedDocuments: result.failedDocuments.map(({ uuid: document, reason }) => ({
      uuid: document,
      reason,
    })),
    notified: result.notified,
  }
}
