import type { IngestOptions } from '../core/options.ts'
import type { InputReport } from '../core/report.ts'
import type { DataSource } from '../core/source.ts'
import { CopyChunk } from '../sinks/copy-lanes.ts'
import { decideTable, ExpectedColumns } from './decide-table.ts'
import type { EngineParts } from './engine-parts.ts'
import { openReading } from './open-reading.ts'
import { Progress } from './progress.ts'
import { RowCaster } from './row-caster.ts'
import { takeSample } from './sample.ts'

/** What became of the first rows with other options. */
export interface Trial {
  /** As the input names its columns. */
  readonly names: readonly string[]
  readonly loaded: number
  readonly rejected: number
  /** Rows were read up to here, whatever became of them. */
  readonly read: number
  readonly isAll: boolean
  readonly input: InputReport
}

/** Reads the first rows as a load would that leaves out what does not fit; it may fail as well. */
export async function tryOptions(
  parts: EngineParts,
  source: DataSource,
  options: IngestOptions,
  { rows, signal }: { readonly rows: number; readonly signal: AbortSignal },
): Promise<Trial> {
  const { limits } = parts
  const progress = new Progress({ signal }, {})
  const opened = await openReading(parts, source, options, signal)
  try {
    const { reading } = opened
    const sample = await takeSample(opened, limits, progress)
    const target = { kind: 'any' } as const
    const expected = new ExpectedColumns(options, null, target)
    const found = { opened, sample, options, limits, progress, expected, target, restart: null }
    const table = await decideTable(found)
    const reject = () => undefined
    const caster = new RowCaster({ ...table, onInvalid: 'skip', reading, reject })
    const scratch = new CopyChunk()
    opened.putBack(sample.batches.splice(0))
    let isAll = false
    while (!isAll && caster.read < rows) {
      const batch = await opened.next()
      isAll = batch === null
      for (let row = 0; row < (batch?.rows ?? 0);) {
        scratch.clear()
        row = caster.cast(batch!, row, scratch, scratch.openMessage())
        await progress.pause({ bytesRead: 0, rows: 0, rejected: 0 })
      }
      if (batch !== null) reading.recycle?.(batch)
    }
    const { loaded, rejected, read } = caster
    const names = table.columns.map(({ name }) => name)
    return { names, loaded, rejected, read, isAll, input: opened.report() }
  } finally {
    await opened.close()
  }
}
