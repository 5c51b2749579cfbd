import type { Readable } from 'node:stream'

import type {
  ColumnRule,
  IngestOptions,
  Judgement,
  Message,
  Preview,
} from '../../../pipelines/index.ts'
import type { ResourceType } from '../../connectors/connector.ts'
import type { Recording } from '../../resources/alongside.ts'
import type { Page, PageRequest } from '../../resources/page.ts'
import type { Actor } from '../actor.ts'
import type { Origin } from '../ingest/ingest.ts'
import type { FileOrigin } from '../../stack/content.ts'
import type { Drift } from '../../resources/load.ts'
import type { Load, LoadMode } from '../../stack/load.ts'
import type { Work } from '../../stack/run-load.ts'
import type { ChangeCounts, ChangeKind } from '../../stack/read/compare-states.ts'
import type { CsvWording } from '../../stack/export/csv.ts'
import type { TableColumn } from '../../stack/stored-column.ts'
import type { BrokenRule } from '../../stack/read/count-broken.ts'
import type { Histogram } from '../../stack/read/histogram.ts'
import type { KnownValues } from '../../stack/read/known-values.ts'
import type { ColumnSummary } from '../../stack/read/summarise-column.ts'
import type { IncomingFile, StoredFile } from '../uploads/read-while-storing.ts'
import type { GivenMapping } from '../shapes/expect.ts'
import type { MappedRequest } from './expect-columns.ts'
import type { GivenFilter } from './resolve-filters.ts'
import type { SourceStatus } from '../../resources/source.ts'
import type { LocatedSource } from './locate-source.ts'
import type { DescribedColumn, Source } from './source.ts'
import { type StoredMessage } from '../../../pipelines/index.ts'

/** Files and forms that became tables. Whatever the actor may not see throws a SourceNotFoundException. */
export interface Sources {
  /** Makes the checks of `create` that take no time, so that a request can be refused at once. */
  admitCreation(actor: Actor, given: NewSource): Promise<number>
  admitReload(actor: Actor, uuid: string, given: Reload): Promise<number>
  /** All or nothing: a failed creation leaves no source, no table and no object. */
  create(actor: Actor, given: NewSource, work: Work): Promise<Source>
  /** Loads next to the shown rows; after a failure everything is as before. */
  reload(actor: Actor, uuid: string, given: Reload, work: Work): Promise<Reloaded>
  /**
   * Adds corrected rows. Each one corrects the reject that it names; if the file names none, it
   * stands for all existing rejects. Sending the same file again changes nothing.
   */
  correctRejects(actor: Actor, uuid: string, given: SentCorrections, work: Work): Promise<Reloaded>

  find(actor: Actor, uuid: string): Promise<Source>
  /** The same for callers that only need to know that the source exists and where its rows are. */
  locate(actor: Actor, uuid: string): Promise<LocatedSource>
  list(actor: Actor, query: SourceListQuery, signal: AbortSignal): Promise<Page<Source>>
  change(actor: Actor, uuid: string, given: SourceChange, record?: Recording): Promise<Source>
  remove(actor: Actor, uuid: string, record?: Recording): Promise<void>

  readPage(actor: Actor, uuid: string, query: DataQuery, signal: AbortSignal): Promise<DataPage>
  /** What the columns hold; the count stops when nobody waits for it any more. */
  summarise(
    actor: Actor,
    uuid: string,
    query: { readonly column?: string | undefined },
    signal: AbortSignal,
  ): Promise<SourceSummary>
  /** How the values are distributed, as far as PostgreSQL knows. */
  profile(
    actor: Actor,
    uuid: string,
    query: { readonly column?: string | undefined },
    signal: AbortSignal,
  ): Promise<SourceProfile>
  /** How many of the rows that are there would break rules of a column. */
  tryRules(
    actor: Actor,
    uuid: string,
    given: { readonly column: string; readonly rules: readonly ColumnRule[] },
    signal: AbortSignal,
  ): Promise<TriedRules>
  export(actor: Actor, uuid: string, given: ExportQuery, signal: AbortSignal): Promise<ExportedData>
  readRejects(
    actor: Actor,
    uuid: string,
    page: PageRequest,
    signal: AbortSignal,
  ): Promise<Page<Reject>>
  exportRejects(
    actor: Actor,
    uuid: string,
    format: RejectsFormat,
    tell: (message: string | StoredMessage) => string,
    signal: AbortSignal,
  ): Promise<ExportedData>
  loads(actor: Actor, uuid: string, page: PageRequest, signal: AbortSignal): Promise<Page<Load>>
  findLoad(actor: Actor, uuid: string, loadUuid: string): Promise<Load>
  /** Compares two states; by default, what is shown with what is staged. */
  readChanges(
    actor: Actor,
    uuid: string,
    query: ChangesQuery,
    signal: AbortSignal,
  ): Promise<ChangesPage>
  /** Shows a staged load, with the answers to its questions. */
  publishLoad(
    actor: Actor,
    uuid: string,
    loadUuid: string,
    given: GivenMapping,
    work: Work,
  ): Promise<Source>
  /** Drops a staged load, or takes an appended one out. */
  removeLoad(
    actor: Actor,
    uuid: string,
    loadUuid: string,
    signal: AbortSignal,
    record?: Recording,
  ): Promise<void>
  /** Shows the state after the load again; null: what was shown before the last publication. */
  rollBack(actor: Actor, uuid: string, loadUuid: string | null, work: Work): Promise<Source>

  preview(actor: Actor, origin: PreviewOrigin, given: PreviewQuery): Promise<Preview>
  /** The same for a source that is there; without an origin, from where it came. */
  previewFor(
    actor: Actor,
    uuid: string,
    origin: PreviewOrigin | null,
    given: PreviewOfSource,
  ): Promise<Preview>

  /** Everything that is wrong with a file, as a creation would find it. Nothing is loaded. */
  check(actor: Actor, origin: CheckedOrigin, given: CheckQuery): Promise<Checked>
  /** The same for a load of a source that is there; without an origin, from where it came. */
  checkFor(
    actor: Actor,
    uuid: string,
    origin: CheckedOrigin | null,
    given: CheckOfSource,
  ): Promise<Checked>

  /** Stores an upload for a job that will read it, in this process or another. */
  store(incoming: IncomingFile, options: IngestOptions | null): Promise<StoredFile>
  /** Removes what was stored for a job that will not run. */
  discard(origin: SourceOrigin | undefined): Promise<void>
}

type SourceOrigin =
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

interface SourceChange {
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

interface SourceListQuery extends PageRequest {
  readonly search?: string | undefined
  readonly status?: SourceStatus | undefined
}

interface DataQuery extends PageRequest {
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

interface TriedRules {
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
}

interface CheckQuery extends Omit<PreviewQuery, 'limit'>, GivingBack {}

interface CheckOfSource extends Omit<PreviewOfSource, 'limit'>, GivingBack {
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

interface PreviewOfSource extends Pick<GivenMapping, 'mapping'> {
  /** Absent: those of the source. */
  readonly options?: IngestOptions | undefined
  readonly limit: number
  readonly signal: AbortSignal
}

interface PreviewQuery extends Pick<GivenMapping, 'mapping'> {
  /** Whose columns the headers are to meet; absent: they are columns of their own. */
  readonly shapeUuid?: string | undefined
  readonly options: IngestOptions
  readonly limit: number
  readonly signal: AbortSignal
}
