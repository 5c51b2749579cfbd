import { Type } from 'typebox'

import { type EntityOf, resource } from './resource.ts'
import { nullable, strictObject, timestamp, uuid } from './schema.ts'

const shown = {
  uuid: uuid(),
  filename: Type.String({ description: 'The name it was uploaded under' }),
  size: Type.Integer({ minimum: 0, description: 'Bytes' }),
  contentType: Type.String(),
  sha256: Type.String({ description: 'Hexadecimal' }),
  folderUuid: nullable(uuid()),
  createdAt: timestamp(),
}

const sql = {
  filename: (row: string) => `${row}.original_name`,
  size: (row: string) => `${row}.size_bytes`,
  folderUuid: (row: string) => `(select f.uuid from folders f where f.id = ${row}.folder_id)`,
}

export const document = resource(
  shown,
  {
    id: Type.Integer(),
    enterpriseId: nullable(Type.Integer()),
    bucket: Type.String(),
    path: Type.String(),
  },
  sql,
)

/** A stored file. */
export type Document = EntityOf<typeof document>

/** A stored file as its folder shows it. */
export const filedDocument = resource(
  {
    ...shown,
    uploadedBy: nullable(strictObject({ uuid: uuid(), name: Type.String() })),
  },
  { id: Type.Integer() },
  {
    ...sql,
    uploadedBy: (row) => `(
      select json_build_object('uuid', u.uuid, 'name', u.name)
      from users_documents o join users u on u.id = o.user_id
      where o.document_id = ${row}.id order by u.id limit 1)`,
  },
)

/** Whether it is one's own depends on who asks. */
export const isOwnField = Type.Boolean({
  description: 'Only one’s own documents can be downloaded and deleted',
})

export type FiledDocument = EntityOf<typeof filedDocument> & { readonly isOwn: boolean }
