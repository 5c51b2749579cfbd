import type { Batch } from '../core/batch.ts'
import type { EngineLimits } from '../core/limits.ts'
import type { Registry } from '../core/registry.ts'
import type { Format } from '../core/format.ts'

/** What an engine is made of. Every part is passed in as a value. */
export interface EngineParts {
  readonly limits: EngineLimits
  /** Where readers and rejects put what does not fit in memory. */
  readonly tempDir: string
  /** The number of COPY streams for loads that do not set one. */
  readonly streams: number | null
  readonly formats: Registry<Format>
  readonly stages: readonly Stage[]
}

/**
 * Sees every batch on its way from the reader to everything else, and may rewrite the ranges of
 * its cells in place: trim, mask, or mark as NULL. It is synchronous and handles one batch at a
 * time.
 */
export interface Stage {
  readonly name: string
  /** `headers` are as the reader found them; the stage owns `batch` while it runs. */
  apply(batch: Batch, headers: readonly (string | null)[]): void
}
