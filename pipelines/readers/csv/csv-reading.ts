import type { Batch } from '../../core/batch.ts'
import type { Findings, Layout, Learned, ReadContext, Reading } from '../../core/reader.ts'
import type { TextInput } from '../../input/text/open-text.ts'
import { BlankText } from './blank-text.ts'
import { BrokenRows } from './broken-rows.ts'
import type { CsvOptions } from './csv-options.ts'
import { noRepairs } from './ragged.ts'
import type { Header } from './read-header.ts'
import type { Sniffed } from './sniff-dialect.ts'

/** What both readings of delimited text have in common. */
export abstract class CsvReading implements Reading {
  abstract readonly reader: string
  readonly headers: readonly (string | null)[]
  readonly headersGrow = false
  readonly layout: Layout
  readonly decimalHint: ',' | null
  readonly encoding: string
  protected readonly broken: BrokenRows
  protected readonly repairs = noRepairs()
  readonly #text: TextInput
  readonly #blankText: BlankText
  readonly #dialect: Findings['dialect']

  constructor(
    text: TextInput,
    { dialect, evidence }: Sniffed,
    header: Header,
    { options }: ReadContext<CsvOptions>,
  ) {
    const { name: encoding, evidence: encodingEvidence } = text.encoding
    this.headers = header.cells
    this.layout = {
      kind: 'fields',
      delimiter: dialect.delimiter,
      quote: dialect.quote,
      headerEnd: header.evidence.row,
    }
    this.decimalHint = dialect.delimiter === ';' ? ',' : null
    this.encoding = encoding
    this.broken = new BrokenRows(options)
    this.#text = text
    this.#blankText = new BlankText(header.cells)
    this.#dialect = {
      encoding: { value: encoding, evidence: encodingEvidence },
      ...evidence,
      header: header.evidence,
    }
  }

  get misjudged(): Learned | null {
    return this.#text.misjudged
  }

  async next(): Promise<Batch | null> {
    return this.#blankText.check(await this.nextBatch())
  }

  abstract rawRow(batch: Batch, row: number): string

  place(): null {
    return null
  }

  describe(): Findings {
    return { dialect: this.#dialect, repaired: { ...this.repairs } }
  }

  protected abstract nextBatch(): Promise<Batch | null>
}
