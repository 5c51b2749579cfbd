import type { EntityOf } from '../resources/resource.ts'
import type { load, LoadMode } from '../resources/load.ts'
import type { TableColumn } from './table/stored-column.ts'
import type { StoredFile } from '../domain/uploads/read-while-storing.ts'

export type { LoadMode }

/** One attempt to change what a table shows, whoever made it, and its outcome. */
export interface Load extends EntityOf<typeof load> {
  /** The columns of the state that it led to. */
  readonly columns: readonly TableColumn[]
}

/** What was read, as far as it is known. */
export interface SentContent {
  readonly filename: string
  readonly sizeBytes: number | null
  readonly sha256: string | null
}

/** The upload that a load keeps so that it can be read again. */
export type KeptFile = StoredFile

export function modeOf({ mode, key, slot }: Load): LoadMode {
  if (mode === 'upsert') return { kind: mode, key: key! }
  return mode === 'append' && slot !== null ? { kind: mode, slot } : { kind: mode ?? 'replace' }
}
