import type { Readable } from 'node:stream'

import type { ByteSource } from '../../../pipelines/index.ts'
import type { Actor } from '../actor.ts'
import type { Document } from './document.ts'
import type { DocumentPage } from './list-documents.ts'

export interface Documents extends DocumentReading, DocumentUploads, DirectUploads {}

/** Owners see what they uploaded; an enterprise's own people may read its documents into tables. */
export interface DocumentReading {
  list(actor: Actor, page: DocumentPage): Promise<{ items: Document[]; total: number }>
  show(actor: Actor, uuid: string): Promise<Document>
  downloadLink(actor: Actor, uuid: string): Promise<{ url: string; filename: string }>
  remove(actor: Actor, uuid: string): Promise<void>
  /** By enterprise, not by ownership: what sources and workflows load. */
  openForReading(actor: Actor, uuid: string): Promise<ReadableDocument>
}

export interface ReadableDocument {
  readonly source: ByteSource
  readonly filename: string
  readonly enterpriseId: number | null
  readonly sha256: string
}

export interface NewDocument {
  readonly filename: string
  readonly contentType: string | undefined
  readonly folderUuid?: string | undefined
}

export interface DocumentUploads {
  /** Refuses before a byte is read what could not be recorded afterwards. */
  checkFolder(actor: Actor, folderUuid: string | undefined): Promise<void>
  /** Stores the stream and records it; on any failure neither object nor row is left. */
  upload(actor: Actor, given: NewDocument, file: IncomingFile): Promise<Document>
}

export interface IncomingFile {
  readonly stream: Readable
  /** Rejects when what follows the file is wrong; the document is recorded only after it. */
  readonly finished: Promise<void>
  readonly signal: AbortSignal
}

export interface NewDirectUpload {
  readonly filename: string
  readonly contentType: string | undefined
  readonly sizeBytes: number
  readonly folderUuid: string | undefined
}

export interface DirectUpload {
  readonly uuid: string
  readonly partBytes: number
  readonly parts: readonly {
    readonly partNumber: number
    readonly sizeBytes: number
    readonly url: string
  }[]
  readonly expiresAt: Date
}

/** Large files that the client sends to the store itself, part by part. */
export interface DirectUploads {
  beginDirectUpload(actor: Actor, given: NewDirectUpload): Promise<DirectUpload>
  completeDirectUpload(actor: Actor, uuid: string, signal: AbortSignal): Promise<Document>
  abortDirectUpload(actor: Actor, uuid: string): Promise<void>
  /** Drops those that nobody completed in time. */
  sweepDirectUploads(): Promise<void>
}
