import type { Engine } from '../core/engine.ts'
import type { Format } from '../core/format.ts'
import { DEFAULT_LIMITS, type EngineLimits } from '../core/limits.ts'
import type { Registry } from '../core/registry.ts'
import type { EngineParts, Stage } from './engine-parts.ts'
import { checkOptions } from './check-options.ts'
import { preview } from './preview.ts'
import { readCells } from './read-cells.ts'
import { recognise } from './open-reading.ts'
import { standardFormats } from './standard-formats.ts'

export interface EngineOptions {
  readonly limits?: Partial<EngineLimits>
  /** Where readers and rejects spill what does not fit in memory. */
  readonly tempDir: string
  /** The number of COPY streams for loads that do not set one. */
  readonly streams?: number
  readonly formats?: Registry<Format>
  /** Run in this order on every batch, before types are detected. */
  readonly stages?: readonly Stage[]
}

export function createEngine(options: EngineOptions): Engine {
  const parts: EngineParts = {
    limits: { ...DEFAULT_LIMITS, ...options.limits },
    tempDir: options.tempDir,
    streams: options.streams ?? null,
    formats: options.formats ?? standardFormats(),
    stages: options.stages ?? [],
  }
  return {
    checkOptions: checkOptions.bind(null, parts),
    recognise: recognise.bind(null, parts),
    preview: preview.bind(null, parts),
    // Loaded on first use, so that a caller who only looks at a file does not wait for it.
    async load(...given) {
      const { load } = await import('./load.ts')
      return load(parts, ...given)
    },
    readCells: readCells.bind(null, parts),
  }
}
