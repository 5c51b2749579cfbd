import type { IntakeControl, Judgement } from '../core/engine.ts'
import type { Format } from '../core/format.ts'
import { DEFAULT_LIMITS, type EngineLimits } from '../core/limits.ts'
import type { Message } from '../core/message.ts'
import type { IngestOptions } from '../core/options.ts'
import type { Registry } from '../core/registry.ts'
import type { DataSource } from '../core/source.ts'
import type { EngineParts, Stage } from './engine-parts.ts'
import { checkOptions } from './format-options.ts'
import { preview } from './preview.ts'
import { readCells } from './read-cells.ts'
import { recognise } from './open-reading.ts'
import { standardFormats } from './standard-formats.ts'
import { later } from '../core/later.ts'

const intakes = later(() => import('./intake.ts'))
const filesBack = later(() => import('./give-back.ts'))

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

export type Engine = ReturnType<typeof createEngine>

/**
 * Previews and loads share one chain: read, normalise headers, detect, cast. Only the sink differs,
 * which is why a preview shows the headers and types that a load will have.
 */
export function createEngine(options: EngineOptions) {
  const parts: EngineParts = {
    limits: { ...DEFAULT_LIMITS, ...options.limits },
    tempDir: options.tempDir,
    streams: options.streams ?? null,
    formats: options.formats ?? standardFormats(),
    stages: options.stages ?? [],
  }
  return {
    /** Refuses options that are wrong whatever is read; a preview and a load begin with the same check. */
    checkOptions: checkOptions.bind(null, parts),
    /** Refuses, by its beginning, an input that no format reads, or not the one that the options name. */
    recognise: recognise.bind(null, parts),
    /** The first rows as they would be stored. Bad cells are shown as null and counted. */
    preview: preview.bind(null, parts),
    /** Reads the beginning and decides what the columns are; the caller then says where the rows go. */
    async open(source: DataSource, given: IngestOptions, control: IntakeControl) {
      // Loaded on first use, so that a caller who only looks at a file does not wait for it.
      const { Intake } = await intakes()
      return Intake.open(parts, source, given, control)
    },
    /** A workbook that shows what a judgement of the same source found. */
    async giveBack(
      source: DataSource,
      given: IngestOptions,
      ...of: [Judgement, (message: Message) => string, AbortSignal]
    ) {
      const { giveBack } = await filesBack()
      return giveBack(parts, source, given, ...of)
    },
    /** All rows with their cells as they are, in batches; a broken row throws an EngineError. */
    readCells: readCells.bind(null, parts),
  }
}
