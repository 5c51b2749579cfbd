import { type Static, Type } from 'typebox'

import { eligibleEnterpriseFields } from '../../resources/enterprise.ts'
import { folder } from '../../resources/folder.ts'
import { rootDeletionFields } from '../../resources/root-deletion.ts'
import { named, strictObject, uuid, uuidPath } from '../schemas.ts'
import { exampleEnterprise } from './present-actor.ts'
import { exampleDocument } from './present-document.ts'
import { presenter } from './presenter.ts'

const shownFolder = strictObject(folder.shown)

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
  strictObject({ ...folder.shown, children: Type.Array(folderSchema) }),
  { root: { ...exampleRoot, children: [exampleSubFolder] } },
)

export const presentFolder = presenter(folder.shown)

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
  strictObject(eligibleEnterpriseFields),
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

export const presentEligibleEnterprise = presenter(eligibleEnterpriseFields)

const deletion = strictObject(rootDeletionFields)

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

export const presentRootDeletion = presenter(rootDeletionFields)
