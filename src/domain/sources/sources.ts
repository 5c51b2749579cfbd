import type { Readable } from 'node:stream'

import type { Knex } from 'knex'
import type { Pool } from 'pg'

import type { Lookups } from '../../db/lookups.ts'
import type { Places } from '../../shares.ts'
import type { ObjectStore } from '../../storage/object-store.ts'
import type { LoadsParts } from '../../stack/fill/run-load.ts'
import type { Nodes } from '../../stack/citus/nodes.ts'
import type { Shapes } from '../shapes/create-shapes.ts'
import type { IngestOptions, Judgement, Message, Preview } from '../../../pipelines/index.ts'
import type { ResourceType } from '../../connectors/connector.ts'
import type { PageRequest, SortedRequest } from '../../resources/page.ts'
import type { Actor } from '../actor.ts'
import type { Origin } from '../ingest/ingest.ts'
import type { FileOrigin } from '../../stack/fill/content.ts'
import type { Drift } from '../../resources/load.ts'
import type { FileShape } from '../../resources/shape.ts'
import type { Load, LoadMode } from '../../stack/load.ts'
import type { ChangeCounts, ChangeKind } from '../../stack/read/compare-states.ts'
import type { CsvWording } from '../../stack/export/csv.ts'
import type { TableColumn } from '../../stack/table/stored-column.ts'
import type { BrokenRule } from '../../stack/read/count-broken.ts'
import type { Histogram, KnownValues } from '../../stack/read/known-values.ts'
import type { ColumnSummary } from '../../stack/read/summarise-column.ts'
import type { IncomingFile } from '../uploads/read-while-storing.ts'
import type { GivenMapping } from '../shapes/expect.ts'
import type { GivenFilter } from './resolve-filters.ts'
import type { SourceStatus } from '../../resources/source.ts'
import type { LocatedSource, DescribedColumn, Source } from './source.ts'

/** What the use cases of sources need. */
export interface SourcesParts extends LoadsParts {
  readonly knex: Knex
  readonly lookups: Lookups
  readonly shapes: Pick<Shapes, 'find' | 'findShared' | 'giveTo'>
  /** Exports hold a connection as long as the client keeps reading. */
  readonly exports: TableAccess
  readonly reads: Reads
  readonly store: ObjectStore
  /** How long a queued job waits for an unavailable part. */
  readonly jobsWaitMs: number
}

/** Where tables are read from, and whether they can be read now. */
export interface TableAccess {
  readonly pool: Pool
  readonly nodes: Nodes
}

/**
 * Pages can take long and be large, so they have their own connections, shared out in turn among
 * the enterprises.
 */
export interface Reads extends TableAccess {
  readonly places: Places
}

/** What the verbs of sources begin with. What the actor may not see is a SourceNotFoundException. */
export interface Finders {
  find(actor: Actor, uuid: string): Promise<Source>
  /** The same for callers that only need to know that the source exists and where its rows are. */
  locate(actor: Actor, uuid: string): Promise<LocatedSource>
  findLoad(actor: Actor, uuid: string, loadUuid: string): Promise<Load>
}

export type SourceOrigin =
  | FileOrigin
  | { readonly kind: 'document'; readonly documentUuid: string }
  | ApiOrigin

export interface ApiOrigin {
  readonly kind: 'api'
  readonly connectionUuid: string
  readonly resourceType: ResourceType
  readonly resourceUuid: string
  /** A label; by default, the title in the remote application. */
  readonly title?: string | undefined
}

/** What becomes of a load whose headers only people can explain. */
export const ON_QUESTION = ['stage', 'refuse'] as const

export interface MappedRequest extends GivenMapping {
  /** Default: it is staged. */
  readonly onQuestion?: (typeof ON_QUESTION)[number] | undefined
}

export interface NewSource extends GivenMapping {
  /** A shape that is shared; absent: it gets one of its own. */
  readonly shapeUuid?: string | undefined
  readonly name: string
  readonly tableName: string
  readonly enterpriseId?: number | undefined
  readonly options: IngestOptions
  readonly origin: SourceOrigin
}

export interface Reload extends MappedRequest {
  readonly mode: LoadMode
  /** Absent: those of the source. */
  readonly options?: IngestOptions | undefined
  /** Absent: the data is read from where the source came from. */
  readonly origin?: FileOrigin | undefined
  /** False: the rows are loaded next to the shown ones, to be looked at first. */
  readonly publishes: boolean
  /** Set for the run of a schedule: it stays staged if it would lose more of the rows. */
  readonly scheduled?: { readonly maxRowsLostPercent: number } | undefined
}

export type Reloaded =
  | { readonly kind: 'published'; readonly source: Source }
  | { readonly kind: 'staged'; readonly load: Load }

export interface SourceChange {
  /** A shape that is shared; null: its own. */
  readonly shapeUuid?: string | null | undefined
  readonly name?: string | undefined
  /** Null or blank: removes the description. */
  readonly description?: string | null | undefined
  readonly columns?: readonly DescribedHeader[] | undefined
  /** How many earlier states are kept. */
  readonly keepLoads?: number | undefined
}

export interface DescribedHeader {
  readonly name: string
  /** Null or blank: removes the description. */
  readonly description: string | null
}

export interface SentCorrections extends MappedRequest {
  readonly key?: string | undefined
  readonly origin: FileOrigin
}

export interface SourceListQuery extends SortedRequest {
  readonly search?: string | undefined
  readonly status?: SourceStatus | undefined
}

export interface DataQuery extends PageRequest {
  /** A normalised header; absent: the order of the source. */
  readonly sort?: string | undefined
  readonly order: 'asc' | 'desc'
  readonly filters: readonly GivenFilter[]
}

export interface DataPage {
  readonly columns: readonly DescribedColumn[]
  /** A JSON array of objects, as text, so that every digit is kept. */
  readonly items: string
  /** How many rows pass the filters. */
  readonly total: number
}

export interface TriedRules {
  readonly rowCount: number
  readonly countedRows: number
  readonly isExact: boolean
  readonly rules: readonly BrokenRule[]
}

export interface SourceProfile {
  readonly rowCount: number
  readonly columns: readonly (TableColumn & {
    readonly known: KnownValues
    /** Null: the values have no places between which they could be spread. */
    readonly histogram: Histogram | null
  })[]
}

export interface SourceSummary {
  readonly rowCount: number
  readonly countedRows: number
  /** False: estimated from a sample. */
  readonly isExact: boolean
  readonly columns: readonly (TableColumn & ColumnSummary)[]
}

export const EXPORT_FORMATS = ['csv', 'ndjson', 'xlsx', 'parquet'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

export const REJECTS_FORMATS = ['csv', 'xlsx'] as const
export type RejectsFormat = (typeof REJECTS_FORMATS)[number]

export type { CsvWording }

export interface ExportQuery extends CsvWording {
  readonly format: ExportFormat
  /** Normalised headers, in the order in which they go out; absent: all columns. */
  readonly columns?: readonly string[] | undefined
  /** A normalised header; absent: the order of the source. */
  readonly sort?: string | undefined
  readonly order: 'asc' | 'desc'
  readonly filters: readonly GivenFilter[]
}

export interface ExportedData {
  readonly stream: Readable
  readonly contentType: string
  readonly filename: string
}

export interface Reject {
  /** Identifies it among all rejects that the source ever had. */
  readonly id: number
  readonly row: number
  readonly line: number | null
  readonly column: string | null
  readonly value: string | null
  readonly message: string
  readonly raw: string
}

export type PreviewOrigin = Origin | { readonly kind: 'upload'; readonly incoming: PreviewedFile }

export type CheckedOrigin = Origin | { readonly kind: 'upload'; readonly incoming: IncomingFile }

/** Puts what is wrong into words for the reader of a workbook. */
export type SayMessage = (message: Message) => string

interface GivingBack {
  /** Absent: no file is asked for. */
  readonly back?: SayMessage | undefined
}

/** What is wrong with a file. */
export interface Checked {
  readonly judgement: Judgement
  /** A workbook in which it is marked; null: none was asked for. */
  readonly file: ExportedData | null
  /** That its headers met; null: none. Absent where nobody is told. */
  readonly shape?: FileShape | null
}

export interface Previewed {
  readonly preview: Preview
  readonly shape: FileShape | null
}

export interface CheckQuery extends Omit<PreviewQuery, 'limit'>, GivingBack {}

export interface CheckOfSource extends Omit<PreviewOfSource, 'limit'>, GivingBack {
  readonly mode: LoadMode
}

/** A file that is read for a preview and never stored. */
export type PreviewedFile = Pick<IncomingFile, 'filename' | 'stream' | 'finished'>

export interface ChangesQuery extends PageRequest {
  /** Uuids of loads; absent: what is shown, and what is staged. */
  readonly from?: string | undefined
  readonly to?: string | undefined
  /** Header of the column that identifies a row; absent: whole rows are compared. */
  readonly key?: string | undefined
  readonly kind?: ChangeKind | undefined
}

export interface ChangesPage extends ChangeCounts {
  readonly drift: Drift
  readonly items: readonly Change[]
  /** How many differences there are of the requested kind. */
  readonly total: number
}

/** As JSON text, so that every digit is kept. */
export interface Change {
  readonly kind: ChangeKind
  readonly key: string | null
  readonly before: string | null
  readonly after: string | null
}

export interface PreviewOfSource extends Pick<GivenMapping, 'mapping'> {
  /** Absent: those of the source. */
  readonly options?: IngestOptions | undefined
  readonly limit: number
  readonly signal: AbortSignal
}

export interface PreviewQuery extends Pick<GivenMapping, 'mapping'> {
  /** Whose columns the headers are to meet; absent: they are columns of their own. */
  readonly shapeUuid?: string | undefined
  readonly options: IngestOptions
  readonly limit: number
  readonly signal: AbortSignal
}
