import type { ByteSource } from '../../../pipelines/index.ts'
import type { Actor } from '../actor.ts'

/**
 * The part of documents that ingestion needs: those of the actor's enterprise, whoever uploaded
 * them.
 */
export interface DocumentReader {
  openForReading(actor: Actor, documentUuid: string): Promise<OpenedDocument>
}

export interface OpenedDocument {
  readonly source: ByteSource
  readonly enterpriseId: number | null
  readonly sha256: string
}
