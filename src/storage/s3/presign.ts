import { GetObjectCommand, UploadPartCommand } from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'

import { attachmentDisposition } from '../content-disposition.ts'
import { safeContentType } from '../content-type.ts'
import type { DownloadLink, PartLink } from '../object-store.ts'
import type { S3Access } from './s3-access.ts'

export async function presignDownload(access: S3Access, link: DownloadLink): Promise<string> {
  const command = new GetObjectCommand({
    Bucket: link.bucket,
    Key: link.key,
    ResponseContentDisposition: attachmentDisposition(link.filename),
    ResponseContentType: safeContentType(link.contentType),
  })
  return getSignedUrl(access.linkClient, command, { expiresIn: link.expiresInSeconds })
}

export async function presignPart(access: S3Access, link: PartLink): Promise<string> {
  const command = new UploadPartCommand({
    Bucket: link.bucket,
    Key: link.key,
    UploadId: link.uploadId,
    PartNumber: link.partNumber,
    ContentLength: link.sizeBytes,
  })
  return getSignedUrl(access.linkClient, command, {
    expiresIn: link.expiresInSeconds,
    // Signed, so that the address takes no more than was announced.
    unhoistableHeaders: new Set(['content-length']),
  })
}
