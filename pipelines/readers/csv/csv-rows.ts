import type { Message } from '../../core/message.ts'
import { mendRagged, type RaggedRepairs, type RaggedRow } from '../mend-ragged.ts'
import type { RaggedPolicy } from '../sheet-options.ts'
import type { CsvOptions } from './csv-options.ts'
import { csvMessages } from './messages.ts'
import type { RowFault, Batch } from '../../core/batch.ts'
import { EngineError, onlyWhiteSpace } from '../../core/errors.ts'
import type { Findings, Layout, Learned, ReadContext } from '../../core/reader.ts'
import type { Warning } from '../../core/warning.ts'
import type { TextInput } from '../../input/text/open-text.ts'
import { misreadWarnings } from '../../input/text/encoding.ts'
import type { SheetRow } from '../../outline/sheet-row.ts'
import type { RowShape, SheetRows } from '../../outline/table-reading.ts'
import { type Dialect, splitRecord } from './dialect.ts'
import type { FoundText } from './find-dialect.ts'
import type { Header } from './read-header.ts'
import { RewrittenText } from './rewritten-text.ts'
import { isBlankRow } from '../../cells/white-space.ts'
import { isBlankHeader } from '../../headers/sql-names.ts'

/** How often each repair was made. */
interface Repairs extends RaggedRepairs {
  quotesTakenLiterally: number
  spacesAroundQuotes: number
  namesAtBlanks: number
  namesMoved: number
}

const noRepairs = (): Repairs => ({
  quotesTakenLiterally: 0,
  spacesAroundQuotes: 0,
  namesAtBlanks: 0,
  namesMoved: 0,
  rowsPadded: 0,
  blankFieldsDropped: 0,
  fieldsCut: 0,
})

/** Notes that are loaded as rows are shorter than rows. */
export function raggedPolicy({ ragged, notes }: CsvOptions): RaggedPolicy {
  return ragged ?? (notes === 'load' ? 'pad' : 'reject')
}

/** What is wrong with a row that has too many or too few fields; null when it was repaired. */
export function repairRagged(
  row: RaggedRow,
  policy: RaggedPolicy,
  repairs: Repairs,
): Message | null {
  const { fields, width } = row
  return mendRagged(row, policy, repairs) ? null : csvMessages.fields({ fields, width })
}

/** Called for a row whose structure is broken. `line` is where it breaks. */
export type OnBroken = (rowInBatch: number, line: number, message: Message) => void

/** The broken rows of the batch that is being read. */
class BrokenRows {
  #faults: RowFault[] = []

  add(rowInBatch: number, line: number, message: Message): void {
    this.#faults.push({ row: rowInBatch, line, message })
  }

  take(): readonly RowFault[] {
    const faults = this.#faults
    this.#faults = []
    return faults
  }
}

/** If there is no data row, the fault is at or above the header. */
export function brokenRow(
  fault: Message,
  { row, line }: { readonly row?: number; readonly line: number },
): EngineError {
  const text =
    row === undefined
      ? csvMessages.broken({ line, fault })
      : csvMessages.brokenRow({ row, line, fault })
  const problem = { kind: 'structure', ...(row !== undefined && { row }), line } as const
  return new EngineError(text, problem)
}

interface RaggedBatch extends Batch {
  /** Rows with more or fewer fields than there are columns. */
  readonly ragged: ReadonlySet<number> | null
}

/** What both readers of delimited text have in common. */
export abstract class CsvRows implements SheetRows {
  abstract readonly reader: string
  readonly headers: readonly (string | null)[]
  readonly headersGrow = false
  readonly layout: Layout
  readonly decimalHint: ',' | null
  readonly encoding: string
  protected readonly broken = new BrokenRows()
  protected readonly repairs = noRepairs()
  readonly #text: TextInput
  readonly #header: Header
  readonly #blankText: BlankText
  readonly #dialect: Dialect
  readonly #findings: Findings['dialect']
  readonly #warnings: readonly Warning[]
  readonly #isSkipping: boolean
  #ragged: number[] = []

  constructor(
    text: TextInput,
    { dialect, evidence }: FoundText,
    header: Header,
    { options }: ReadContext<CsvOptions>,
  ) {
    const { name: encoding, evidence: encodingEvidence } = text.encoding
    this.headers = header.cells
    this.layout = {
      kind: 'fields',
      delimiter: dialect.delimiter,
      quote: dialect.quote,
      headerEnd: header.recordsBefore,
    }
    this.decimalHint = dialect.delimiter === ';' ? ',' : null
    this.encoding = encoding
    this.#text = text
    this.#header = header
    this.#blankText = new BlankText(header.cells)
    this.#dialect = dialect
    this.#findings = { encoding: { value: encoding, evidence: encodingEvidence }, ...evidence }
    this.#warnings = misreadWarnings(text)
    this.#isSkipping = options.onInvalid === 'skip'
    this.countRepairs({ repaired: 0, spaced: 0 })
  }

  get misjudged(): Learned | null {
    return this.#text.misjudged
  }

  async next(): Promise<Batch | null> {
    const batch = this.#blankText.check(await this.nextBatch())
    if (batch === null) return null
    const ragged = this.#ragged.length > 0 ? new Set(this.#ragged) : null
    this.#ragged = []
    return { ...batch, ragged } as RaggedBatch
  }

  abstract rawRow(batch: Batch, row: number): string

  sheetRow(batch: Batch, row: number): SheetRow {
    const { cells } = splitRecord(this.rawRow(batch, row), 0, this.#dialect)
    return { line: batch.lines![row]!, cells }
  }

  shapeOf(batch: Batch, row: number): RowShape {
    if (batch.faults.length === 0 && (batch as RaggedBatch).ragged === null) return 'even'
    if ((batch as RaggedBatch).ragged?.has(row) === true) return 'ragged'
    return batch.faults.some((fault) => fault.row === row) ? 'broken' : 'even'
  }

  /** Unless broken rows are set aside, the first one ends the reading. */
  accept({ faults, firstRow, lines }: Batch): void {
    const [fault] = faults
    if (fault === undefined || this.#isSkipping) return
    const line = fault.line ?? lines![fault.row]!
    throw brokenRow(fault.message, { row: firstRow + fault.row, line })
  }

  place(): null {
    return null
  }

  describe(): Findings {
    const linesUnquoted = this.#text instanceof RewrittenText ? this.#text.linesUnquoted : 0
    const repaired = { ...this.repairs, linesUnquoted }
    return { dialect: this.#findings, repaired, warnings: this.#warnings }
  }

  protected noteRagged(rowInBatch: number): void {
    this.#ragged.push(rowInBatch)
  }

  /** Adds the repairs of the header to those of the rows. */
  protected countRepairs({ repaired, spaced }: Pick<Header, 'repaired' | 'spaced'>): void {
    this.repairs.quotesTakenLiterally = this.#header.repaired + repaired
    this.repairs.spacesAroundQuotes = this.#header.spaced + spaced
    this.repairs.namesAtBlanks = this.#header.namesAtBlanks
    this.repairs.namesMoved = this.#header.namesMoved
  }

  protected abstract nextBatch(): Promise<Batch | null>
}

/**
 * Judged by its first bytes alone, a text of many blank lines seems to have a header and rows.
 * Only its end shows whether there is anything else in it.
 */
class BlankText {
  #isBlank: boolean

  constructor(headers: readonly (string | null)[]) {
    this.#isBlank = headers.length === 1 && isBlankHeader(headers[0])
  }

  /** Must be given every batch, and the end. Refuses a text that was entirely blank. */
  check(batch: Batch | null): Batch | null {
    if (!this.#isBlank) return batch
    if (batch === null) throw onlyWhiteSpace()
    this.#isBlank = batch.faults.length === 0 && isBlank(batch)
    return batch
  }
}

function isBlank(batch: Batch): boolean {
  for (let row = 0; row < batch.rows; row++) if (!isBlankRow(batch, row)) return false
  return true
}
