import type { Document as Row } from '../../models/document.ts'

/** A stored file, as the product knows it. */
export interface Document {
  readonly id: number
  readonly uuid: string
  readonly enterpriseId: number | null
  readonly filename: string
  readonly contentType: string
  readonly sizeBytes: number
  readonly sha256: string
  readonly folderUuid: string | null
  readonly createdAt: Date
  readonly bucket: string
  readonly path: string
}

/** A row with the uuid of its folder beside it. */
export type DocumentRow = Pick<
  Row,
  | 'id'
  | 'uuid'
  | 'enterprise_id'
  | 'bucket'
  | 'path'
  | 'original_name'
  | 'content_type'
  | 'size_bytes'
  | 'sha256'
  | 'created_at'
> & { readonly folder_uuid: string | null }

export function toDocument(row: DocumentRow): Document {
  return {
    id: row.id,
    uuid: row.uuid,
    enterpriseId: row.enterprise_id,
    filename: row.original_name,
    contentType: row.content_type,
    sizeBytes: row.size_bytes,
    sha256: row.sha256,
    folderUuid: row.folder_uuid,
    createdAt: row.created_at,
    bucket: row.bucket,
    path: row.path,
  }
}
