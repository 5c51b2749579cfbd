import type { IngestOptions } from '../../pipelines/index.ts'
import { type Measured, measureScript } from './measure.ts'

const SCRIPT = new URL('../cases/engine-load.ts', import.meta.url)

/** One file into one table, by the engine alone. */
export interface EngineLoad {
  readonly path: string
  readonly url: string
  readonly schema: string
  readonly table: string
  readonly options?: IngestOptions
  /** Of COPY; else as many as the engine takes by itself. */
  readonly streams?: number
  /** Else the reader that the engine takes by itself: the fast one wherever it knows the dialect. */
  readonly csvReader?: 'general'
  /** The rows become a partition, as in the service; else a table of their own. */
  readonly becomesPartition?: boolean
  /** Rows that must come of it, where they are known. */
  readonly expectedRows?: number
}

export function loadByEngine(load: EngineLoad): Promise<Measured> {
  return measureScript(SCRIPT, [JSON.stringify(load)])
}
