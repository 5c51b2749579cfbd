import type { Batch } from '../core/batch.ts'
import type { EngineLimits } from '../core/limits.ts'
import type { Registry } from '../core/registry.ts'
import type { Format } from '../core/format.ts'

/** What an engine is made of. Every part is a value that was handed in. */
export interface EngineParts {
  readonly limits: EngineLimits
  /** Where readers and the rejects spill what does not fit in memory. */
  readonly tempDir: string
  /** COPY streams of a load that does not ask for a number of its own. */
  readonly streams: number | null
  readonly formats: Registry<Format>
  readonly stages: readonly Stage[]
}

/**
 * Looks at every batch on its way from the reader to everything else, and may rewrite the ranges of
 * its cells in place: trims, masks, marks as NULL. Synchronous, a batch at a time.
 */
export interface Stage {
  readonly name: string
  /** `headers` are as the reader found them; `batch` belongs to the stage while it runs. */
  apply(batch: Batch, headers: readonly (string | null)[]): void
}
