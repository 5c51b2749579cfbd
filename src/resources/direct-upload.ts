import { Type } from 'typebox'

import type { Entity } from './resource.ts'
import { strictObject, timestamp, uuid } from './schema.ts'

/** A large file that the client sends directly to the object storage, part by part. */
export const directUploadFields = {
  uuid: uuid(),
  partSize: Type.Integer({
    minimum: 1,
    description: 'Size in bytes of every part except the last',
  }),
  parts: Type.Array(
    strictObject({
      partNumber: Type.Integer({ minimum: 1 }),
      size: Type.Integer({ minimum: 1, description: 'The exact number of bytes' }),
      url: Type.String({ format: 'uri', description: 'Send the bytes of the part here with PUT' }),
    }),
  ),
  expiresAt: timestamp(),
}

export type DirectUpload = Entity<typeof directUploadFields>
