import type { TableColumn } from '../tables/stored-column.ts'
import type { StoredFile } from '../uploads/read-while-storing.ts'

export const LOAD_KINDS = [
  'creation',
  'reload',
  'rejects',
  'schedule',
  'launch',
  'rollback',
] as const
export type LoadKind = (typeof LOAD_KINDS)[number]

export const LOAD_MODES = ['replace', 'append', 'upsert'] as const
/** What becomes of the rows that are there. */
export type LoadMode =
  | { readonly kind: 'replace' }
  | { readonly kind: 'append' }
  /** `key` is a normalised header; a row whose key is there already gives way. */
  | { readonly kind: 'upsert'; readonly key: string }

/**
 * `staged`: loaded, and shown to nobody. `current`: its rows are shown, but for those that a later
 * load has replaced. `kept`: they can be shown again. `gone`: they cannot.
 */
export const LOAD_STATES = [
  'running',
  'staged',
  'current',
  'kept',
  'gone',
  'failed',
  'cancelled',
] as const
export type LoadState = (typeof LOAD_STATES)[number]

/** How the columns of a load differ from those that were there before it. */
export interface Drift {
  readonly added: readonly { readonly name: string; readonly type: string }[]
  readonly removed: readonly { readonly name: string; readonly type: string }[]
  readonly retyped: readonly { readonly name: string; readonly from: string; readonly to: string }[]
}

/** Where the rows came from. */
export type LoadOrigin =
  | { readonly kind: 'upload' }
  | { readonly kind: 'document'; readonly documentUuid: string }
  | { readonly kind: 'api' }
  | { readonly kind: 'load'; readonly loadUuid: string }

/** One attempt to change what a table shows, whoever made it, and what came of it. */
export interface Load {
  readonly id: number
  readonly uuid: string
  readonly tableId: number
  readonly number: number
  readonly kind: LoadKind
  /** Null for a rollback, which brings no rows. */
  readonly mode: LoadMode['kind'] | null
  readonly key: string | null
  readonly state: LoadState
  readonly loadedBy: { readonly uuid: string; readonly name: string } | null
  readonly filename: string | null
  readonly sizeBytes: number | null
  readonly sha256: string | null
  readonly origin: LoadOrigin | null
  readonly options: unknown
  readonly dialect: unknown
  readonly counts: LoadCounts | null
  readonly drift: Drift | null
  readonly report: unknown
  readonly error: unknown
  readonly columns: readonly TableColumn[]
  /** Of a rollback: the load whose state it shows. */
  readonly shownLoadId: number | null
  /** What its rows lie in; null where it has none, or none any more. */
  readonly partitionId: number | null
  readonly startedAt: Date
  readonly finishedAt: Date | null
  readonly publishedAt: Date | null
}

export interface LoadCounts {
  readonly read: number
  readonly loaded: number
  readonly rejected: number
  readonly blank: number
}

/** What was read, as far as it is known. */
export interface SentContent {
  readonly filename: string
  readonly sizeBytes: number | null
  readonly sha256: string | null
}

/** The upload that a load keeps, to be read again. */
export type KeptFile = StoredFile

export const modeOf = ({ mode, key }: Load): LoadMode =>
  mode === 'upsert' ? { kind: mode, key: key! } : { kind: mode ?? 'replace' }
