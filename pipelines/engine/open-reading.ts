import type { Batch } from '../core/batch.ts'
import { textBudget } from '../core/expansion-budget.ts'
import type { Format } from '../core/format.ts'
import type { Input } from '../core/input.ts'
import type { IngestOptions } from '../core/options.ts'
import type { Learned, Reading } from '../core/reader.ts'
import type { InputReport } from '../core/report.ts'
import type { TableReport } from '../core/table-report.ts'
import type { ByteSource, DataSource } from '../core/source.ts'
import type { Warning } from '../core/warning.ts'
import { type ColumnDecision, isOpen } from '../encoders/column-decision.ts'
import { openInput } from '../input/open-input.ts'
import type { ValueContext } from '../transforms/value-context.ts'
import { chooseFormat, mayBeOf } from './choose-format.ts'
import { meaningfulOptions } from './format-options.ts'
import type { EngineParts, Stage } from './engine-parts.ts'
import { warningMessages } from './warning-messages.ts'
import { type InputKind, RECORDS } from './input-kinds.ts'
import { repairOf } from './repair-messages.ts'
import { later } from '../core/later.ts'

const recordsReader = later(() => import('../readers/records/open-records.ts'))

/** Finds the reader of the source by its content, and begins to read. */
export async function openReading(
  { limits, tempDir, stages, formats }: EngineParts,
  source: DataSource,
  options: IngestOptions,
  signal: AbortSignal,
  learned: Learned = {},
): Promise<OpenReading> {
  const context = { learned, limits, tempDir, signal }
  if (source.kind === 'records') {
    const { openRecords } = await recordsReader()
    const own = meaningfulOptions(options, RECORDS.options)
    return new OpenReading(openRecords(source, { ...context, options: own }), RECORDS, null, stages)
  }
  const input = await openBytes(formats, source, context)
  try {
    const format = chooseFormat(formats, input.head, options)
    const own = meaningfulOptions(options, format.options)
    const expansion = textBudget(limits, () => input.sentBytes)
    const reading = await format.open(input, {
      ...context,
      limits: input.limits,
      expansion,
      options: own,
    })
    return new OpenReading(reading, format, input, stages)
  } catch (error) {
    await input.close()
    throw error
  }
}

/** Refuses what cannot be read, or not as the options say, by its beginning alone. */
export async function recognise(
  parts: EngineParts,
  source: ByteSource,
  options: IngestOptions,
  signal: AbortSignal,
): Promise<void> {
  await formatOf(parts, source, options, signal)
}

/** The format that would read the source. */
export async function formatOf(
  { limits, tempDir, formats }: EngineParts,
  source: ByteSource,
  options: IngestOptions,
  signal: AbortSignal,
): Promise<Format> {
  const input = await openBytes(formats, source, { limits, tempDir, signal })
  try {
    return chooseFormat(formats, input.head, options)
  } finally {
    await input.close()
  }
}

export const openBytes = (
  formats: EngineParts['formats'],
  source: ByteSource,
  context: Parameters<typeof openInput>[1],
): Promise<Input> => openInput(source, context, (head) => mayBeOf(formats, head))

/** What readers warn of with messages of their own. */
const WARNED_OF: ReadonlySet<string> = new Set(['formulasWithoutResult'])

/** A reading with what the engine adds: stages, and what is known about the input. */
export class OpenReading {
  readonly reading: Reading
  readonly #kind: InputKind
  readonly #input: Input | null
  readonly #stages: readonly Stage[]
  /** Batches of a sample that will be returned again. */
  #kept: Batch[] = []
  #hasEnded = false

  constructor(reading: Reading, kind: InputKind, input: Input | null, stages: readonly Stage[]) {
    this.reading = reading
    this.#kind = kind
    this.#input = input
    this.#stages = stages
  }

  get bytesRead(): number {
    return this.reading.bytesRead ?? this.#input?.bytesRead ?? 0
  }

  /**
   * The next batch, after the stages. It returns those of a sample first, and releases each one as
   * it goes.
   */
  async next(): Promise<Batch | null> {
    const kept = this.#kept.shift()
    if (kept !== undefined) return kept
    const batch = this.#hasEnded ? null : await this.reading.next()
    if (batch === null) this.#hasEnded = true
    else for (const stage of this.#stages) stage.apply(batch, this.reading.headers)
    return batch
  }

  /**
   * Called when the types are decided: from now on the reading need not write values as text if
   * they are stored as they are in the input.
   */
  settle(columns: readonly ColumnDecision[], { nullValues }: ValueContext): void {
    // Stages and words for NULL both need texts.
    const mayHoldValues = this.#stages.length === 0 && nullValues.none
    const { stated = [] } = this.reading
    this.reading.settle?.(
      columns.map(
        (column, at) => mayHoldValues && column.sqlType === stated[at]?.sqlType && !isOpen(column),
      ),
    )
  }

  /** Goes back to the first row. The caller must pass all batches so far. */
  putBack(batches: readonly Batch[]): void {
    this.#kept = [...batches]
  }

  report(): InputReport {
    const { layout, encoding } = this.reading
    const { dialect, repaired } = this.reading.describe()
    const { name: format, sourceType } = this.#kind
    return {
      format,
      sourceType,
      layout,
      ...(encoding !== undefined && { encoding }),
      dialect: { ...this.#packing(), ...dialect },
      repaired,
    }
  }

  /** What a person should look at, though nothing failed. */
  warnings(options: IngestOptions): readonly Warning[] {
    const { repaired, warnings = [] } = this.reading.describe()
    return [
      ...this.#meaningless(options).map((name) => ({
        code: 'option-means-nothing' as const,
        message: warningMessages.optionMeansNothing({ option: name, format: this.#kind.name }),
      })),
      ...Object.entries(repaired)
        .filter(([what, times]) => times > 0 && !WARNED_OF.has(what))
        .map(([what, times]) => ({
          code: 'repaired' as const,
          message: warningMessages.repaired({ what: repairOf(what), times }),
        })),
      // A reader knows what would mend it, not what else the request says.
      ...warnings.map(({ remedies, ...warning }) => ({
        ...warning,
        ...(remedies && {
          remedies: remedies.map((remedy) => ({
            ...remedy,
            options: { ...options, ...remedy.options },
          })),
        }),
      })),
    ]
  }

  /** Where the table is in its sheet, as far as it was read. */
  table(): { table?: TableReport } {
    const { table } = this.reading.describe()
    return table === undefined ? {} : { table }
  }

  async close(): Promise<void> {
    try {
      await this.reading.close?.()
    } finally {
      await this.#input?.close()
    }
  }

  #packing(): Readonly<Record<string, unknown>> {
    if (this.#input === null) return {}
    const { packing, member } = this.#input
    const compression = packing.length === 0 ? 'none' : packing.join(', ')
    return { compression, ...(member !== null && { member }) }
  }

  #meaningless(options: IngestOptions): readonly string[] {
    const { format: _, ...ofFiles } = options
    const said = this.#input === null ? options : ofFiles
    const meaningful = meaningfulOptions(options, this.#kind.options)
    return Object.keys(said).filter(
      (name) => said[name] !== undefined && !Object.hasOwn(meaningful, name),
    )
  }
}
