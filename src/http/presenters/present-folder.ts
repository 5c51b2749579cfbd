import { type Static, Type } from 'typebox'

import { MOST_FAILED_NAMED, type RootDeletionResult } from '../../domain/folders/root-deletion.ts'
import type { Folder } from '../../domain/folders/folder.ts'
import type { EligibleEnterprise } from '../../domain/folders/folders.ts'
import { ACCOUNT_TYPES } from '../../domain/actor.ts'
import { named, nullable, strictObject, timestamp, uuid, uuidPath } from '../schemas.ts'
import { exampleDocument } from './present-document.ts'
import { actorEnterpriseSchema, exampleEnterprise } from './present-actor.ts'

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

const shownFolder = strictObject(folderProperties)

export const exampleRoot: Static<typeof shownFolder> = {
  uuid: '5eed0000-0000-4000-8000-000000000100',
  name: 'Atelier Lumière',
  client_id: 2,
  enterprise_id: exampleEnterprise.id,
  created_by: 1,
  parent_id: null,
  parentUuid: null,
  created_at: '2026-01-31T09:30:00.000Z',
  updated_at: '2026-01-31T09:30:00.000Z',
  deleted_at: null,
  enterprise: exampleEnterprise,
  documentCount: 0,
  childCount: 1,
}

export const exampleSubFolder: typeof exampleRoot = {
  ...exampleRoot,
  uuid: '5eed0000-0000-4000-8000-000000000102',
  name: 'Ventes 2026',
  parent_id: 11,
  parentUuid: exampleRoot.uuid,
  created_at: '2026-02-02T14:05:00.000Z',
  updated_at: '2026-02-02T14:05:00.000Z',
  documentCount: 1,
  childCount: 0,
}

export const rootPath = uuidPath(exampleRoot.uuid)
export const folderPath = uuidPath(exampleSubFolder.uuid)

export const folderSchema = named('Folder', shownFolder, {
  'sub-folder': exampleSubFolder,
  root: exampleRoot,
})

export const folderWithChildrenSchema = named(
  'FolderWithChildren',
  strictObject({ ...folderProperties, children: Type.Array(folderSchema) }),
  { root: { ...exampleRoot, children: [exampleSubFolder] } },
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
  {
    path: {
      items: [exampleRoot, exampleSubFolder].map(({ uuid: id, name }) => ({ uuid: id, name })),
    },
  },
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
  {
    free: {
      id: 2,
      uuid: '0a6bfaa3-d84a-490b-80b5-72b904131d9c',
      name: 'Boréal Conseil',
      accountType: 'enterprise',
      hasFolder: false,
    },
    taken: { ...exampleEnterprise, hasFolder: true },
  },
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

const deletion = strictObject({
  folderDeleted: Type.Boolean({ description: 'False while documents are left in the tree' }),
  deletedFolders: Type.Integer({ minimum: 0 }),
  deletedDocuments: Type.Integer({ minimum: 0 }),
  failedDocuments: Type.Array(strictObject({ uuid: uuid(), reason: Type.String() }), {
    maxItems: MOST_FAILED_NAMED,
    description: 'Those whose file could not be deleted',
  }),
  failedDocumentCount: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: 'How many they are, where `failedDocuments` cannot name them all',
    }),
  ),
  notified: Type.Boolean({ description: 'A mail went to whoever began it' }),
})

export const exampleDeletion: Static<typeof deletion> = {
  folderDeleted: true,
  deletedFolders: 4,
  deletedDocuments: 1240,
  failedDocuments: [],
  notified: true,
}

export const rootDeletionSchema = named('RootDeletion', deletion, {
  complete: exampleDeletion,
  partial: {
    folderDeleted: false,
    deletedFolders: 1,
    deletedDocuments: 12,
    failedDocuments: [
      { uuid: exampleDocument.uuid, reason: 'The object storage refused (AccessDenied)' },
    ],
    notified: false,
  },
})

export function presentRootDeletion(result: RootDeletionResult) {
  return {
    folderDeleted: result.folderDeleted,
    deletedFolders: result.deletedFolders,
    deletedDocuments: result.deletedDocuments,
    failedDocuments: result.failedDocuments.map(({ uuid: document, reason }) => ({
      uuid: document,
      reason,
    })),
    ...(result.failedDocumentCount > result.failedDocuments.length && {
      failedDocumentCount: result.failedDocumentCount,
    }),
    notified: result.notified,
  }
}
