import type { Message } from '../core/message.ts'
import type { SqlType } from '../core/plan.ts'
import type { CopyBuffer } from '../encoders/copy-buffer.ts'
import { CellValue } from './cell-value.ts'
import type { JudgedRowRule } from './judged-rule.ts'

const LENGTH_BYTES = 4
/** The number of fields, and the field with the row's number. */
const BEFORE_FIELDS = 2 + LENGTH_BYTES + 8

interface Field {
  readonly name: string
  readonly sqlType: SqlType
}

interface Asked {
  readonly rule: JudgedRowRule
  /** Fields of a row. */
  readonly fields: readonly number[]
}

interface BrokenRow {
  readonly rule: JudgedRowRule
  /** The field at fault. */
  readonly field: number
  readonly message: Message
}

/** Judges rows as they are stored, with one look at each, by the rules about several columns. */
export class RowJudge {
  readonly #asked: readonly Asked[]
  readonly #values: readonly CellValue[]
  readonly #isThere: boolean[]
  readonly #starts: Float64Array

  /** A rule with a column that is not sent has nothing to judge. `fields`: in the order of a row. */
  constructor(rules: readonly JudgedRowRule[], fields: readonly Field[]) {
    const at = new Map(fields.map(({ name }, field) => [name, field]))
    this.#asked = rules
      .filter(({ columns }) => columns.every((name) => at.has(name)))
      .map((rule) => ({ rule, fields: rule.columns.map((name) => at.get(name)!) }))
    this.#values = fields.map(({ sqlType }) => new CellValue(sqlType))
    this.#isThere = fields.map(() => false)
    this.#starts = new Float64Array(fields.length)
  }

  get isNeeded(): boolean {
    return this.#asked.length > 0
  }

  /** The rules that the row breaks which begins at `from`. */
  judge({ bytes }: CopyBuffer, from: number): readonly BrokenRow[] {
    this.#look(bytes, from)
    const broken: BrokenRow[] = []
    for (const { rule, fields } of this.#asked) {
      if (!fields.every((field) => this.#isThere[field])) continue
      const message = rule.judge(fields.map((field) => this.#values[field]!))
      if (message !== null) broken.push({ rule, field: fields[rule.atFault]!, message })
    }
    return broken
  }

  /** Makes a field NULL of the row that was judged last and ends the output. */
  setNull(out: CopyBuffer, field: number): void {
    const at = this.#starts[field]!
    const length = out.bytes.readInt32BE(at)
    if (length < 0) return
    out.patchInt32(at, -1)
    out.bytes.copyWithin(at + LENGTH_BYTES, at + LENGTH_BYTES + length, out.length)
    out.rewind(out.length - length)
    for (let next = field + 1; next < this.#starts.length; next++) this.#starts[next]! -= length
  }

  #look(bytes: Buffer, from: number): void {
    let at = from + BEFORE_FIELDS
    for (let field = 0; field < this.#values.length; field++) {
      this.#starts[field] = at
      this.#isThere[field] = this.#values[field]!.look(bytes, at)
      at += LENGTH_BYTES + Math.max(0, bytes.readInt32BE(at))
    }
  }
}
