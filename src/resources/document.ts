import { Type } from 'typebox'

import { type EntityOf, resource } from './resource.ts'
import { nullable, timestamp, uuid } from './schema.ts'

export const document = resource(
  {
    uuid: uuid(),
    filename: Type.String({ description: 'The name it was uploaded under' }),
    size: Type.Integer({ minimum: 0, description: 'Bytes' }),
    contentType: Type.String(),
    sha256: Type.String({ description: 'Hexadecimal' }),
    folderUuid: nullable(uuid()),
    createdAt: timestamp(),
  },
  {
    id: Type.Integer(),
    enterpriseId: nullable(Type.Integer()),
    bucket: Type.String(),
    path: Type.String(),
  },
  {
    filename: (row) => `${row}.original_name`,
    size: (row) => `${row}.size_bytes`,
    folderUuid: (row) => `(select f.uuid from folders f where f.id = ${row}.folder_id)`,
  },
)

/** A stored file. */
export type Document = EntityOf<typeof document>
