import { closeSync, readSync, writeSync } from 'node:fs'

import type { CellError } from '../core/errors.ts'
import type { ColumnPlan } from '../core/plan.ts'
import type { ColumnRule, RowRule } from '../core/rule.ts'
import { createScratchFile, type ScratchFile } from '../core/scratch-file.ts'
import { viewOf } from '../encoders/copy-buffer.ts'
import { CellValue } from '../rules/cell-value.ts'
import { plainest } from '../rules/decimals.ts'
import { brokenOverRows } from '../rules/judged-rule.ts'
import { hashOf } from '../rules/known-texts.ts'
import { CopyChunk, FRAME_BYTES } from '../sinks/copy-lanes.ts'
import type { RowSink } from '../sinks/table-load.ts'
import { type BrokenOverRows, ERRORS_JUDGED, type OverRows } from './judged-together.ts'

/** A rule that is asked of all rows together. */
export interface RuleOverRows<C extends AskedColumn = AskedColumn> {
  readonly rule: ColumnRule | RowRule
  readonly columns: readonly C[]
}

type AskedColumn = Pick<ColumnPlan, 'name' | 'column' | 'sqlType'>

/** A rule that rows break together. */
export interface BrokenTogether {
  readonly rule: ColumnRule | RowRule
  readonly count: number
  /** Of those that break it, by their numbers. */
  readonly first: readonly { readonly number: bigint; readonly error: CellError }[]
}

interface Asking {
  /** Of these columns; each rule asks that no values are there twice. */
  asked(plans: readonly ColumnPlan[]): readonly RuleOverRows[]
  tell(broken: readonly BrokenTogether[]): BrokenOverRows
}

/** Which rows have values that rows before them have, where there is no database to ask. */
export const overRepeated = (tempDir: string, { asked, tell }: Asking): OverRows => ({
  rowsBefore: 0n,
  async open(plans) {
    const watched = asked(plans).map((each) => new WatchedRule(each, plans, tempDir))
    return {
      load: new WatchedRows(watched),
      ask: async () => tell(watched.map((each) => each.broken).filter(({ count }) => count > 0)),
    }
  },
})

/** Rows go by, and leave what is asked of them. */
class WatchedRows implements RowSink {
  readonly #rules: readonly WatchedRule[]
  readonly #chunk = new CopyChunk()
  #failure: Error | null = null

  constructor(rules: readonly WatchedRule[]) {
    this.#rules = rules
  }

  take(): CopyChunk {
    if (this.#failure !== null) throw this.#failure
    return this.#chunk
  }

  async available(): Promise<void> {}

  send(chunk: CopyChunk): void {
    const bytes = chunk.close()
    const view = viewOf(bytes)
    for (let at = 0; at < bytes.length;) {
      const end = at + 1 + view.getInt32(at + 1)
      at += FRAME_BYTES
      while (at < end) at = this.#see(bytes, view, at)
    }
    chunk.clear()
  }

  fail(error: Error): void {
    this.#failure = error
  }

  async abort(): Promise<void> {
    for (const rule of this.#rules) rule.close()
  }

  /** A row that begins there; returns where it ends. */
  #see(bytes: Buffer, view: DataView, at: number): number {
    const count = view.getInt16(at)
    const fields: number[] = []
    let next = at + 2
    for (let field = 0; field < count; field++) {
      fields.push(next)
      next += 4 + Math.max(0, view.getInt32(next))
    }
    for (const rule of this.#rules) rule.see(bytes, view, fields)
    return next
  }
}

const NUMBER_BYTES = 8

/** The rows of one rule, on piles of which each is small enough to be compared at once. */
class WatchedRule {
  readonly #asked: RuleOverRows
  /** Of the columns, among the fields of a row, which begins with its number. */
  readonly #places: readonly number[]
  readonly #values: readonly CellValue[]
  readonly #piles: Piles

  constructor(asked: RuleOverRows, plans: readonly ColumnPlan[], tempDir: string) {
    this.#asked = asked
    this.#places = asked.columns.map(
      ({ column }) => 1 + plans.findIndex((plan) => plan.column === column),
    )
    this.#values = asked.columns.map(({ sqlType }) => new CellValue(sqlType))
    this.#piles = new Piles(tempDir)
  }

  see(bytes: Buffer, view: DataView, fields: readonly number[]): void {
    let length = NUMBER_BYTES
    let hash = 0
    for (const [nth, place] of this.#places.entries()) {
      const field = fields[place]!
      const size = view.getInt32(field)
      // No rule is broken by what is not there.
      if (size < 0) return
      length += 4 + size
      hash = this.#hashed(hash, this.#values[nth]!, bytes, field)
    }
    const record = this.#piles.room(hash, length)
    const number = fields[0]! + 4
    let to = record.at + bytes.copy(record.bytes, record.at, number, number + NUMBER_BYTES)
    for (const place of this.#places) {
      const field = fields[place]!
      to += bytes.copy(record.bytes, to, field, field + 4 + view.getInt32(field))
    }
  }

  get broken(): BrokenTogether {
    const { rule, columns } = this.#asked
    let count = 0
    let first: Buffer[] = []
    for (const pile of this.#piles.all()) {
      const keys = new Set<string>()
      for (const record of pile) {
        const key = this.#keyOf(record)
        if (!keys.has(key)) {
          keys.add(key)
          continue
        }
        count++
        first.push(Buffer.from(record))
        if (first.length === 2 * ERRORS_JUDGED) first = firstOf(first)
      }
    }
    return {
      rule,
      count,
      first: firstOf(first).map((record) => {
        const number = record.readBigInt64BE(0)
        const value = this.#read(record, ({ shown }) => shown).join(', ')
        const error = { row: Number(number), column: columns[0]!.name, value }
        return { number, error: { ...error, ...brokenOverRows(rule, value) } }
      }),
    }
  }

  close(): void {
    this.#piles.close()
  }

  #hashed(hash: number, value: CellValue, bytes: Buffer, field: number): number {
    value.look(bytes, field)
    const isDecimal = value.sqlType === 'numeric'
    if (!isDecimal) return hashOf(bytes, field, field + 4 + bytes.readInt32BE(field), hash)
    const plain = Buffer.from(plainest(value.text))
    return hashOf(plain, 0, plain.length, hash)
  }

  /** Values are the same where their bytes are; a number however many zeros it ends with. */
  #keyOf(record: Buffer): string {
    return this.#read(record, (value, from, to) =>
      value.sqlType === 'numeric'
        ? `${plainest(value.text)};`
        : record.toString('latin1', from, to),
    ).join('')
  }

  #read(
    record: Buffer,
    as: (value: CellValue, from: number, to: number) => string,
  ): readonly string[] {
    let at = NUMBER_BYTES
    return this.#values.map((value) => {
      value.look(record, at)
      const from = at
      at += 4 + record.readInt32BE(at)
      return as(value, from, at)
    })
  }
}

const firstOf = (records: readonly Buffer[]): Buffer[] =>
  records
    .toSorted((one, other) => one.compare(other, 0, NUMBER_BYTES, 0, NUMBER_BYTES))
    .slice(0, ERRORS_JUDGED)

const PILES = 1024
const HELD_BYTES = 16 * 1024
const LENGTH_BYTES = 4

/** Alike values lie on one pile, in the order in which they came; what is beyond a few is on disk. */
class Piles {
  readonly #tempDir: string
  readonly #piles: Pile[] = []
  #file: ScratchFile | null = null
  #written = 0

  constructor(tempDir: string) {
    this.#tempDir = tempDir
  }

  /** Where the next record goes. */
  room(hash: number, length: number): { readonly bytes: Buffer; readonly at: number } {
    const pile = (this.#piles[hash % PILES] ??= { stored: [], held: Buffer.alloc(0), length: 0 })
    const needed = LENGTH_BYTES + length
    if (pile.length + needed > HELD_BYTES) this.#store(pile)
    if (pile.length + needed > pile.held.length) {
      const wider = Buffer.allocUnsafeSlow(Math.max(2 * pile.held.length, needed, 256))
      pile.held.copy(wider, 0, 0, pile.length)
      pile.held = wider
    }
    pile.held.writeInt32BE(length, pile.length)
    const at = pile.length + LENGTH_BYTES
    pile.length += needed
    return { bytes: pile.held, at }
  }

  *all(): Generator<Iterable<Buffer>> {
    for (const pile of this.#piles) if (pile !== undefined) yield this.#recordsOf(pile)
  }

  close(): void {
    if (this.#file === null) return
    closeSync(this.#file.fd)
    this.#file.remove()
    this.#file = null
  }

  *#recordsOf({ stored, held, length }: Pile): Generator<Buffer> {
    for (const { from, to } of stored) {
      const bytes = Buffer.allocUnsafe(to - from)
      for (let read = 0; read < bytes.length;) {
        read += readSync(this.#file!.fd, bytes, read, bytes.length - read, from + read)
      }
      yield* recordsIn(bytes)
    }
    yield* recordsIn(held.subarray(0, length))
  }

  #store(pile: Pile): void {
    this.#file ??= createScratchFile(this.#tempDir)
    for (let sent = 0; sent < pile.length;) {
      const at = this.#written + sent
      sent += writeSync(this.#file.fd, pile.held, sent, pile.length - sent, at)
    }
    pile.stored.push({ from: this.#written, to: this.#written + pile.length })
    this.#written += pile.length
    pile.length = 0
    if (pile.held.length > HELD_BYTES) pile.held = Buffer.alloc(0)
  }
}

function* recordsIn(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length;) {
    const from = at + LENGTH_BYTES
    at = from + bytes.readInt32BE(at)
    yield bytes.subarray(from, at)
  }
}

interface Pile {
  readonly stored: { readonly from: number; readonly to: number }[]
  held: Buffer
  /** Of what is held. */
  length: number
}
