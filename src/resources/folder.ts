import { Type } from 'typebox'

import { enterpriseOf, enterpriseSchema } from './enterprise.ts'
import { type EntityOf, resource } from './resource.ts'
import { nullable, timestamp, uuid } from './schema.ts'

/** A folder with the counts that are shown with it. Folders keep the names of their columns. */
export const folder = resource(
  {
    uuid: uuid(),
    name: Type.String(),
    client_id: Type.Integer(),
    enterprise_id: Type.Integer(),
    created_by: Type.Integer(),
    parent_id: nullable(Type.Integer({ description: 'Null for a root' })),
    parentUuid: nullable(uuid()),
    created_at: timestamp(),
    updated_at: timestamp(),
    deleted_at: nullable(timestamp()),
    enterprise: enterpriseSchema,
    documentCount: Type.Integer({ minimum: 0, description: 'Documents directly in the folder' }),
    childCount: Type.Integer({ minimum: 0, description: 'Folders directly in the folder' }),
  },
  { id: Type.Integer() },
  {
    parentUuid: (row) => `(select p.uuid from folders p where p.id = ${row}.parent_id)`,
    enterprise: enterpriseOf,
    documentCount: (row) => `(select count(*) from documents d where d.folder_id = ${row}.id)`,
    childCount: (row) =>
      `(select count(*) from folders c where c.parent_id = ${row}.id and c.deleted_at is null)`,
  },
)

export type Folder = EntityOf<typeof folder>
