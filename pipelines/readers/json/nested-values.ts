import type { EngineLimits } from '../../core/limits.ts'
import { TEXT_FAULT_MESSAGES } from '../../json/text-faults.ts'
import { ByteSink } from '../byte-sink.ts'
import {
  BACKSLASH,
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
  SPACE,
} from './bytes.ts'
import type { CellSink } from './cell-sink.ts'
import type { Lexer } from './lexer.ts'
import { MemberList } from './member-list.ts'
import { EarlyUnescape, escape, unescape } from './string-escapes.ts'
import { jsonSyntaxMessages } from './syntax-messages.ts'

/** The most members of one object: sorting and comparing them makes everything else wait. */
export const MOST_MEMBERS = 50_000

/**
 * How many times the longest value may be rewritten in another order. A long text inside many
 * nested objects, none of them in order, is rewritten for each of them, while everything else
 * waits.
 */
const MOST_TIMES_AGAIN = 16

/** Up to this number, insertion sort is faster. */
const FEW_MEMBERS = 24
const CANNOT_TELL = 2
const CANNOT_SORT = -1

/** Where the text is written. */
type TextSink = Pick<CellSink, 'made' | 'fault'>

/**
 * For objects of which only a part is kept: returns which members, of those from `first` on, or
 * null for all. They are in `written`.
 */
export type KeptMembers = (
  written: Buffer,
  members: MemberList,
  first: number,
) => readonly number[] | null

const NOWHERE = -1
/** What an array has in the place of its first member. */
const NO_MEMBERS = -1

/** What has to come next of a value; after a bracket that opens, it may be the one that closes. */
type Expected = 'value' | 'key' | 'first' | 'more'

/**
 * Writes objects and arrays as canonical JSON: without white space, keys sorted by UTF-16 code
 * unit, the last of duplicate keys, strings in their shortest form, numbers with their original
 * digits.
 *
 * A value may be of many megabytes: where the window ends in it, or others are to have their turn, the
 * next call goes on from there.
 */
export class NestedValues {
  /** Where the last value begins in what was made. */
  begin = 0
  readonly #lexer: Lexer
  readonly #sink: TextSink
  readonly #kept: KeptMembers | null
  readonly #made: ByteSink
  readonly #maximumDepth: number
  readonly #mostBytes: number
  readonly #early = new EarlyUnescape()
  /** How many bytes of the value were rewritten. */
  #bytesAgain = 0
  /** Where the value begins in the text that is not over, how far it was read, and on which line. */
  #openFrom = NOWHERE
  #readTo = 0
  #line = 0
  #expected: Expected = 'value'
  /** Of each open container: its first member, and where its content begins in what was made. */
  readonly #firstMembers: number[] = []
  readonly #contents: number[] = []
  /** For what has to be written in another order, or unescaped and escaped again. */
  readonly #scratch = new ByteSink()
  readonly #members = new MemberList()
  /** Members in the order of their keys. */
  readonly #order = new Int32Array(FEW_MEMBERS)

  constructor(
    lexer: Lexer,
    sink: TextSink,
    { jsonDepth, cellBytes }: EngineLimits,
    kept: KeptMembers | null = null,
  ) {
    this.#lexer = lexer
    this.#sink = sink
    this.#kept = kept
    this.#made = sink.made
    this.#maximumDepth = jsonDepth
    this.#mostBytes = cellBytes
  }

  /** How far in the text the last value was read. */
  get readTo(): number {
    return this.#readTo
  }

  /** To be called when the window ended inside of it. */
  unescapeEarly(): void {
    this.#early.take(this.#lexer)
  }

  /** What was made of it is no longer there. */
  forget(): void {
    this.#openFrom = NOWHERE
    this.#readTo = 0
  }

  /** Writes the value at `from`, or the rest of it, and returns where it ends. */
  write(from: number): number {
    const lexer = this.#lexer
    const { bytes, offset } = lexer.window
    if (this.#openFrom === offset + from) lexer.line = this.#line
    else this.#beginAt(offset + from)
    let p = this.#readTo - offset
    let at = p
    let { line } = lexer
    try {
      for (;;) {
        at = p
        line = lexer.line
        if (p > lexer.turnEnds) lexer.endTurn()
        if (this.#expected === 'more' && this.#contents.length === 0) return this.#end(p)
        if (bytes[p]! <= SPACE) p = lexer.skipSpace(p)
        p = this.#step(p)
      }
    } catch (error) {
      this.#readTo = offset + at
      this.#line = line
      throw error
    }
  }

  #step(at: number): number {
    switch (this.#expected) {
      case 'value':
        return this.#value(at)
      case 'more':
        return this.#afterValue(at)
      case 'key':
        return this.#key(at)
      case 'first':
        return this.#afterOpening(at)
    }
  }

  #end(at: number): number {
    this.#lexer.requireNext(at)
    this.#openFrom = NOWHERE
    return at
  }

  #beginAt(from: number): void {
    this.#openFrom = from
    this.#readTo = from
    this.#expected = 'value'
    this.begin = this.#made.length
    this.#bytesAgain = 0
    // The previous value may have been forgotten.
    if (this.#contents.length === 0) return
    this.#members.count = 0
    this.#firstMembers.length = 0
    this.#contents.length = 0
  }

  #value(from: number): number {
    const lexer = this.#lexer
    const made = this.#made
    const { bytes } = lexer.window
    // Long before the whole value is written.
    if (made.length - this.begin > this.#mostBytes) {
      lexer.exceeded('cellBytes', jsonSyntaxMessages.longValue({ most: this.#mostBytes }))
    }
    const byte = bytes[from]!
    if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) return this.#open(from, byte)
    const to = lexer.endOfScalar(from)
    if (byte === QUOTE) this.#writeString(from, to, lexer.escaped)
    else made.copy(bytes, from, to)
    this.#expected = 'more'
    return to
  }

  #open(from: number, byte: number): number {
    // A row itself has depth 1.
    if (this.#contents.length + 1 >= this.#maximumDepth) {
      this.#lexer.exceeded('jsonDepth', jsonSyntaxMessages.nested({ most: this.#maximumDepth }))
    }
    this.#made.push(byte)
    this.#firstMembers.push(byte === OPEN_ARRAY ? NO_MEMBERS : this.#members.count)
    this.#contents.push(this.#made.length)
    this.#expected = 'first'
    return from + 1
  }

  #afterOpening(from: number): number {
    const isArray = this.#firstMembers.at(-1) === NO_MEMBERS
    if (this.#lexer.window.bytes[from] === (isArray ? CLOSE_ARRAY : CLOSE_OBJECT)) {
      return this.#close(from)
    }
    if (!isArray) return this.#key(from)
    if (from >= this.#lexer.window.limit) this.#lexer.unexpected(from, jsonSyntaxMessages.value())
    this.#expected = 'value'
    return from
  }

  #key(from: number): number {
    const lexer = this.#lexer
    const made = this.#made
    const members = this.#members
    const { bytes } = lexer.window
    if (bytes[from] !== QUOTE) lexer.unexpected(from, jsonSyntaxMessages.key())
    const to = lexer.endOfString(from + 1) + 1
    const { escaped } = lexer
    const colon = lexer.skipSpace(to)
    if (bytes[colon] !== COLON) lexer.unexpected(colon, jsonSyntaxMessages.sign({ sign: ':' }))
    const member = members.begin(made.length)
    this.#writeString(from, to, escaped)
    members.keyEnd[member] = made.length
    made.push(COLON)
    this.#expected = 'value'
    return lexer.skipSpace(colon + 1)
  }

  #afterValue(from: number): number {
    const lexer = this.#lexer
    const { bytes } = lexer.window
    const first = this.#firstMembers[this.#firstMembers.length - 1]!
    const isArray = first === NO_MEMBERS
    const closing = isArray ? CLOSE_ARRAY : CLOSE_OBJECT
    if (!isArray) {
      const members = this.#members
      members.to[members.count - 1] = this.#made.length
      if (members.count - first > MOST_MEMBERS) tooManyMembers(lexer)
    }
    if (bytes[from] === closing) return this.#close(from)
    if (bytes[from] !== COMMA) {
      lexer.unexpected(from, jsonSyntaxMessages.commaOr({ sign: String.fromCharCode(closing) }))
    }
    const next = lexer.skipSpace(from + 1)
    if (bytes[next] === closing) {
      lexer.unexpected(next, isArray ? jsonSyntaxMessages.value() : jsonSyntaxMessages.key())
    }
    this.#made.push(COMMA)
    this.#expected = isArray ? 'value' : 'key'
    return next
  }

  #close(at: number): number {
    const made = this.#made
    const members = this.#members
    const first = this.#firstMembers.pop()!
    const content = this.#contents.pop()!
    if (first === NO_MEMBERS) made.push(CLOSE_ARRAY)
    else {
      const kept = this.#kept?.(made.bytes, members, first) ?? null
      if (kept !== null) this.#writeAgain(kept, content)
      else if (!this.#inOrder(first)) this.#sort(first, content)
      members.count = first
      made.push(CLOSE_OBJECT)
    }
    this.#expected = 'more'
    return at + 1
  }

  /** The one between these quotes. */
  #writeString(from: number, to: number, escaped: boolean): void {
    const lexer = this.#lexer
    const made = this.#made
    const { bytes, offset } = lexer.window
    if (!escaped) {
      made.copy(bytes, from, to)
      return
    }
    const scratch = this.#scratch.emptied()
    const early = this.#early.takeInto(scratch, offset + from + 1)
    const at = early === null ? from + 1 : early.to - offset
    const fault = unescape(bytes, at, to - 1, scratch) ?? early?.fault ?? null
    if (fault !== null) this.#sink.fault(lexer.inField(TEXT_FAULT_MESSAGES[fault]()))
    made.push(QUOTE)
    escape(scratch.bytes, 0, scratch.length, made)
    made.push(QUOTE)
  }

  #inOrder(first: number): boolean {
    for (let member = first + 1; member < this.#members.count; member += 1) {
      if (this.#compare(member - 1, member) !== -1) return false
    }
    return true
  }

  /** The order of two keys, or `CANNOT_TELL`. */
  #compare(a: number, b: number): -1 | 0 | 1 | typeof CANNOT_TELL {
    const { bytes } = this.#made
    const { from, keyEnd } = this.#members
    const fromA = from[a]!
    const fromB = from[b]!
    const lengthA = keyEnd[a]! - fromA - 2
    const lengthB = keyEnd[b]! - fromB - 2
    for (let i = 1; i <= lengthA && i <= lengthB; i += 1) {
      const byteA = bytes[fromA + i]!
      const byteB = bytes[fromB + i]!
      // Escapes, and characters outside the basic plane, do not sort like their bytes.
      if (byteA === BACKSLASH || byteB === BACKSLASH) return CANNOT_TELL
      if (byteA >= 0xee || byteB >= 0xee) return CANNOT_TELL
      if (byteA !== byteB) return byteA < byteB ? -1 : 1
    }
    if (lengthA === lengthB) return 0
    return lengthA < lengthB ? -1 : 1
  }

  /** Sorts the members from `first` on, which were written from `begin` on. */
  #sort(first: number, begin: number): void {
    const sorted = this.#sortByBytes(first)
    if (sorted === CANNOT_SORT) this.#writeAgain(this.#sortedByText(first), begin)
    else this.#writeAgain(this.#order, begin, sorted)
  }

  /** Writes those members, in that order, over what was written from `begin` on. */
  #writeAgain(members: ArrayLike<number>, begin: number, count = members.length): void {
    const made = this.#made
    const scratch = this.#scratch.emptied()
    for (let at = 0; at < count; at += 1) this.#take(members[at]!)
    made.length = begin
    made.copy(scratch.bytes, 0, scratch.length)
    this.#bytesAgain += scratch.length
    this.#lexer.turnEnds -= scratch.length
    if (this.#bytesAgain > MOST_TIMES_AGAIN * this.#mostBytes) {
      this.#lexer.exceeded('jsonDepth', jsonSyntaxMessages.manyLevels())
    }
  }

  #take(member: number): void {
    const { from, to } = this.#members
    if (this.#scratch.length > 0) this.#scratch.push(COMMA)
    this.#scratch.copy(this.#made.bytes, from[member]!, to[member]!)
  }

  /**
   * Insertion sort into `#order`, without creating strings of the keys. Returns the number of
   * members without duplicates, or `CANNOT_SORT` if this does not work.
   */
  #sortByBytes(first: number): number {
    const end = this.#members.count
    if (end - first > FEW_MEMBERS) return CANNOT_SORT
    const order = this.#order
    let sorted = 0
    for (let member = first; member < end; member += 1) {
      let at = sorted
      let found = -1
      for (; at > 0; at -= 1) {
        found = this.#compare(order[at - 1]!, member)
        if (found === CANNOT_TELL) return CANNOT_SORT
        if (found <= 0) break
      }
      // A later duplicate replaces an earlier one.
      if (at > 0 && found === 0) order[at - 1] = member
      else {
        order.copyWithin(at + 1, at, sorted)
        order[at] = member
        sorted += 1
      }
    }
    return sorted
  }

  #sortedByText(first: number): number[] {
    const { count, from, keyEnd } = this.#members
    const byKey = new Map<string, number>()
    for (let member = first; member < count; member += 1) {
      const key = this.#made.bytes.toString('utf8', from[member]! + 1, keyEnd[member]! - 1)
      byKey.set(key.includes('\\') ? (JSON.parse(`"${key}"`) as string) : key, member)
    }
    return [...byKey.keys()].toSorted().map((key) => byKey.get(key)!)
  }
}

export function tooManyMembers(lexer: Lexer): never {
  lexer.exceeded('jsonMembers', jsonSyntaxMessages.manyMembers({ most: MOST_MEMBERS }))
}
