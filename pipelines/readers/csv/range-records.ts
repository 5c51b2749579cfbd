import type { EngineLimits } from '../../core/limits.ts'
import type { TextInput } from '../../input/text/open-text.ts'
import { brokenRow, type OnBroken } from './broken-rows.ts'
import type { Dialect } from './dialect.ts'
import { RangeRows } from './range-rows.ts'
import type { HeaderRecord, Records } from './read-header.ts'
import { RowTable } from './row-table.ts'

const MOST_AT_ONCE = 1024

const brokenAboveData: OnBroken = (_, line, message) => {
  throw brokenRow(message, { line })
}

/** Records on the way to the rows, by the range scanner; what it does not take stays in the text. */
export class RangeRecords implements Records {
  line = 1
  count = 0
  readonly #text: TextInput
  readonly #dialect: Dialect
  readonly #limits: EngineLimits

  constructor(text: TextInput, dialect: Dialect, limits: EngineLimits) {
    this.#text = text
    this.#dialect = dialect
    this.#limits = limits
  }

  async skipTo(line: number): Promise<boolean> {
    if (this.line >= line) return true
    const table = new RowTable(1, this.line, this.#limits.cellBytes, () => undefined)
    const rows = new RangeRows(this.#text, this.#dialect, table, this.#limits, () => undefined)
    while (table.line < line) {
      const found = await rows.take(Math.min(line - table.line, MOST_AT_ONCE))
      if (found === null) return false
      // A record of several lines may have led too far.
      const beyond = found.lines.findIndex((at) => at >= line)
      this.count += beyond === -1 ? found.rows : beyond
      if (beyond === -1) continue
      rows.putBackRest()
      const { bytes, rowStart } = found
      this.#text.unread(Buffer.from(bytes.subarray(rowStart[beyond], rowStart[found.rows])))
      this.line = found.lines[beyond]!
      return true
    }
    rows.putBackRest()
    this.line = table.line
    return true
  }

  async take(): Promise<HeaderRecord | null> {
    let fields = 0
    // One more than there may be, so that even the widest header is not exactly as wide.
    const most = this.#limits.columns + 1
    const { line } = this
    const table = new RowTable(most, line, this.#limits.cellBytes, (ragged) => {
      fields = ragged.fields
    })
    const rows = new RangeRows(this.#text, this.#dialect, table, this.#limits, brokenAboveData)
    const found = await rows.take(1)
    if (found === null) return null
    rows.putBackRest()
    this.line = table.line
    this.count++
    const { bytes, start, end, rowStart } = found
    const cells = Array.from({ length: Math.min(fields || most, most) }, (_, cell) =>
      bytes.toString('utf8', start[cell], end[cell]),
    )
    const { repaired, spaced } = rows
    const raw = bytes.toString('utf8', rowStart[0], rowStart[1]).replace(/(?:\r\n|\r|\n)$/, '')
    return { line, cells, fields: fields || most, repaired, spaced, raw }
  }
}
