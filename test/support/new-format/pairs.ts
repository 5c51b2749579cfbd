import { type Batch, NULL_CELL, type RowFault } from '../../../pipelines/core/batch.ts'
import { defineFormat } from '../../../pipelines/core/format.ts'
import { defineMessages } from '../../../pipelines/core/message.ts'
import type { Reading } from '../../../pipelines/core/reader.ts'
import { Schema } from '../../../pipelines/core/schema.ts'
import { openText, type TextInput } from '../../../pipelines/input/text/open-text.ts'
import { TEXT_OPTIONS } from '../../../pipelines/input/text/text-options.ts'

const pairsMessages = defineMessages('pairs', {
  nothingBetween: {
    en: ({ between }: { between: string }) => `there is no ${between} in it`,
    fr: ({ between }) => `il n’y a pas de ${between}`,
  },
})

/** Pairs such as `age=41`, one a line, below a line that says `#pairs`: the smallest format there is. */
export const pairsFormat = defineFormat({
  name: 'pairs',
  sourceType: 'PAIRS',
  messages: [pairsMessages],
  options: {
    ...TEXT_OPTIONS,
    between: Schema.text({ minLength: 1, maxLength: 1, description: 'Default: =' }),
  },
  recognises: ({ bytes }) => (bytes.toString('latin1', 0, 7) === '#pairs\n' ? 'certainly' : 'no'),
  async open(input, context) {
    return new PairsReading(openText(input, context), context.options.between ?? '=')
  },
})

class PairsReading implements Reading {
  readonly reader = 'pairs'
  readonly headers = ['key', 'value']
  readonly headersGrow = false
  readonly layout
  readonly encoding: string
  readonly #text: TextInput
  readonly #between: string
  /** The beginning of a line whose end has not come in yet. */
  #open = ''
  #linesRead = 0

  constructor(text: TextInput, between: string) {
    this.layout = { kind: 'fields', delimiter: between, quote: null, headerEnd: 1 } as const
    this.encoding = text.encoding.name
    this.#text = text
    this.#between = between
  }

  get misjudged() {
    return this.#text.misjudged
  }

  async next(): Promise<Batch | null> {
    for (;;) {
      const chunk = await this.#text.next()
      const lines = (this.#open + (chunk?.toString() ?? '')).split('\n')
      // The last line ends with the input; the first is no row.
      this.#open = chunk === null ? '' : lines.pop()!
      if (chunk === null && lines.at(-1) === '') lines.pop()
      const rows = this.#linesRead === 0 ? lines.slice(1) : lines
      const firstLine = this.#linesRead + 1 + lines.length - rows.length
      this.#linesRead += lines.length
      if (rows.length > 0) return this.#batch(rows, firstLine)
      if (chunk === null) return null
    }
  }

  rawRow({ bytes, start, end }: Batch, row: number): string {
    const [key, value] = [2 * row, 2 * row + 1]
    return bytes.toString('utf8', start[key], end[value] === NULL_CELL ? end[key] : end[value])
  }

  place(): null {
    return null
  }

  describe() {
    return { dialect: { between: this.#between }, repaired: {} }
  }

  #batch(lines: readonly string[], firstLine: number): Batch {
    const start = new Int32Array(2 * lines.length)
    const end = new Int32Array(2 * lines.length).fill(NULL_CELL)
    const faults: RowFault[] = []
    let at = 0
    for (const [row, line] of lines.entries()) {
      const key = line.split(this.#between, 1)[0]!
      start[2 * row] = at
      end[2 * row] = at + Buffer.byteLength(key)
      if (key.length < line.length) {
        start[2 * row + 1] = end[2 * row]! + Buffer.byteLength(this.#between)
        end[2 * row + 1] = at + Buffer.byteLength(line)
      } else {
        faults.push({ row, message: pairsMessages.nothingBetween({ between: this.#between }) })
      }
      at += Buffer.byteLength(line)
    }
    return {
      bytes: Buffer.from(lines.join('')),
      start,
      end,
      kinds: null,
      width: 2,
      rows: lines.length,
      firstRow: firstLine - 1,
      lines: Int32Array.from(lines, (_, row) => firstLine + row),
      faults,
    }
  }
}
