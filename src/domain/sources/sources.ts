import type { Readable } from 'node:stream'

import type { IngestOptions, LoadMode, Preview } from '../../../pipelines/index.ts'
import type { ResourceType } from '../../connectors/connector.ts'
import type { JobContext } from '../../jobs/job.ts'
import type { Page, PageRequest } from '../../resources/page.ts'
import type { Actor } from '../actor.ts'
import type { Origin } from '../ingest/ingest.ts'
import type { IncomingFile, StoredFile } from '../uploads/read-while-storing.ts'
import type { Source, SourceColumn, SourceStatus } from './source.ts'

/** Files and forms that became tables. What the actor may not see is a SourceNotFoundException. */
export interface Sources {
  /** All or nothing: a failed creation leaves no source, no table and no object. */
  create(actor: Actor, given: NewSource, work: Work): Promise<Source>
  /** Loads beside the old data and swaps; a failure leaves the old data as it was. */
  reload(actor: Actor, uuid: string, given: Reload, work: Work): Promise<Source>
  /** Adds mended rows; the file stands for all rejects that there are. */
  takeMended(actor: Actor, uuid: string, given: MendedRejects, work: Work): Promise<Source>

  find(actor: Actor, uuid: string): Promise<Source>
  list(actor: Actor, query: SourceListQuery): Promise<Page<Source>>
  rename(actor: Actor, uuid: string, name: string): Promise<Source>
  remove(actor: Actor, uuid: string): Promise<void>

  readPage(actor: Actor, uuid: string, query: DataQuery): Promise<DataPage>
  export(actor: Actor, uuid: string, given: ExportQuery, signal: AbortSignal): Promise<ExportedData>
  readRejects(actor: Actor, uuid: string, page: PageRequest): Promise<Page<Reject>>
  exportRejects(actor: Actor, uuid: string, signal: AbortSignal): Promise<ExportedData>
  loads(actor: Actor, uuid: string, page: PageRequest): Promise<Page<SourceLoad>>

  preview(actor: Actor, origin: PreviewOrigin, given: PreviewQuery): Promise<Preview>

  /** Stores an upload for a job that will read it, in this process or another. */
  store(incoming: IncomingFile): Promise<StoredFile>
  /** The job will not be run: what was stored for it is removed. */
  forget(origin: SourceOrigin | undefined): Promise<void>
  /** Clears up after processes that died. */
  sweep(): Promise<void>
}

/** What a long call gets besides its arguments. */
export type Work = Pick<JobContext, 'jobUuid' | 'signal' | 'report' | 'seal'>

export type FileOrigin =
  | { readonly kind: 'upload'; readonly incoming: IncomingFile }
  | { readonly kind: 'stored'; readonly file: StoredFile }

export type SourceOrigin =
  | FileOrigin
  | { readonly kind: 'document'; readonly documentUuid: string }
  | ApiOrigin

export interface ApiOrigin {
  readonly kind: 'api'
  readonly connectionUuid: string
  readonly resourceType: ResourceType
  readonly resourceUuid: string
  /** Label; default: what the remote application calls it. */
  readonly title?: string | undefined
}

export interface NewSource {
  readonly name: string
  readonly tableName: string
  readonly enterpriseId?: number | undefined
  readonly options: IngestOptions
  readonly origin: SourceOrigin
}

export interface Reload {
  readonly mode: LoadMode
  /** Absent: those of the source. */
  readonly options?: IngestOptions | undefined
  /** Absent: where the source came from. */
  readonly origin?: FileOrigin | undefined
}

export interface MendedRejects {
  readonly key?: string | undefined
  readonly origin: FileOrigin
}

export interface SourceListQuery extends PageRequest {
  readonly search?: string | undefined
  readonly status?: SourceStatus | undefined
}

export interface DataQuery extends PageRequest {
  /** A normalised header; absent: the order of the source. */
  readonly sort?: string | undefined
  readonly order: 'asc' | 'desc'
}

export interface DataPage {
  readonly columns: readonly SourceColumn[]
  /** A JSON array of objects, as text: every digit is kept. */
  readonly items: string
  readonly total: number
}

export const EXPORT_FORMATS = ['csv', 'ndjson', 'xlsx'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

export interface ExportQuery {
  readonly format: ExportFormat
  readonly neutralise: boolean
}

export interface ExportedData {
  readonly stream: Readable
  readonly contentType: string
  readonly filename: string
}

export interface Reject {
  readonly row: number
  readonly line: number | null
  readonly column: string | null
  readonly value: string | null
  readonly message: string
  readonly raw: string
}

export interface SourceLoad {
  readonly uuid: string
  readonly kind: 'creation' | 'reload' | 'rejects'
  readonly mode: LoadMode['kind']
  readonly key: string | null
  readonly loadedBy: { readonly uuid: string; readonly name: string } | null
  readonly filename: string | null
  readonly sizeBytes: number | null
  readonly sha256: string | null
  readonly options: unknown
  readonly dialect: unknown
  readonly counts: { read: number; loaded: number; rejected: number; blank: number }
  readonly drift: Drift
  readonly report: unknown
  readonly startedAt: Date
  readonly finishedAt: Date
}

/** How the columns of a load differ from those that were there before it. */
export interface Drift {
  readonly added: readonly { readonly name: string; readonly type: string }[]
  readonly removed: readonly { readonly name: string; readonly type: string }[]
  readonly retyped: readonly { readonly name: string; readonly from: string; readonly to: string }[]
}

export type PreviewOrigin = Origin | { readonly kind: 'upload'; readonly incoming: PreviewedFile }

/** Read for a preview and never stored. */
export type PreviewedFile = Pick<IncomingFile, 'filename' | 'stream' | 'finished'>

export interface PreviewQuery {
  readonly options: IngestOptions
  readonly limit: number
  readonly signal: AbortSignal
}
