import { Type } from 'typebox'

import type { Entity } from './resource.ts'
import { spoken, strictObject, uuid } from './schema.ts'

/**
 * A storage that refuses everything may refuse millions of documents; only this many are listed.
 */
export const MOST_FAILED_NAMED = 20_000

/** The outcome of the permanent deletion of a tree. */
export const rootDeletionFields = {
  folderDeleted: Type.Boolean({ description: 'False as long as documents are left in the tree' }),
  deletedFolders: Type.Integer({ minimum: 0 }),
  deletedDocuments: Type.Integer({ minimum: 0 }),
  failedDocuments: Type.Array(strictObject({ uuid: uuid(), reason: spoken() }), {
    maxItems: MOST_FAILED_NAMED,
    description: 'Documents whose file could not be deleted',
  }),
  failedDocumentCount: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: 'Their number, if `failedDocuments` cannot list them all',
    }),
  ),
  notified: Type.Boolean({ description: 'Whether a mail was sent to the user who started it' }),
}

export type RootDeletionResult = Entity<typeof rootDeletionFields>
