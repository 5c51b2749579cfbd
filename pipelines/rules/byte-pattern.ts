import { RE2JS } from 're2js'

/** What re2js makes of an expression: the steps of an automaton, by number. */
interface Program {
  readonly inst: readonly Instruction[]
  readonly start: number
  /** How often it looks behind. */
  readonly numLb: number
}

interface Instruction {
  readonly op: number
  readonly out: number
  readonly arg: number
  matchRune(rune: number): boolean
}

/** The numbers that re2js gives its instructions; all between the two of RUNE read a character. */
const OP = {
  alt: 1,
  altMatch: 2,
  capture: 3,
  emptyWidth: 4,
  match: 6,
  nop: 7,
  rune: 8,
  lastRune: 11,
}
/** What is between two characters, as `arg` of an empty width asks it. */
const AT = { beginLine: 1, endLine: 2, beginText: 4, endText: 8, word: 16, noWord: 32 }

/** All that can be behind the first character. */
const ANYWHERE_BEHIND = AT.beginLine | AT.endLine | AT.endText | AT.word | AT.noWord

const NO_RUNE = -1
const NEW_LINE = 10
const ASCII = 0x80
/** A state has a row of the table, with a place for each byte. */
const ROW_BITS = 8
/** Characters that all steps treat alike are a class. Class 0 is the end. */
const END = 0
const MOST_CLASSES = 64
const FIRST_STATES = 4
/** Beyond this an expression is judged by re2js itself. */
const MOST_STATES = 1000
/** Of all states together. */
const MOST_STEPS_KEPT = 200_000
const MOST_RUNES_KEPT = 4096
/** Bytes that are looked at without a pause, where there are pauses. */
const PIECE = 1024 * 1024
/** Of what re2js looks at, since nobody can pause it. */
const SHORT = 64 * 1024
/** Steps that are tried without a pause. */
const MOST_TRIED = 200_000

/** In the table, in the place of a state. */
const UNKNOWN = -1
const FOUND = -2
const NOT_FOUND = -3
const GIVEN_UP = -4

/**
 * An expression that is looked for in the bytes of a value, one look at each: the automaton of
 * re2js, made deterministic as far as the values that come need it. It says what re2js says, without
 * a string of the value, and several times as soon.
 */
export class BytePattern {
  readonly #pattern: RE2JS
  readonly #program: Program
  /** Of each state, those that can be next, by the byte of an ASCII character; other bytes are unknown. */
  #next = tableOf(FIRST_STATES << ROW_BITS)
  /** The same, by class. */
  #nextOfClass = tableOf(FIRST_STATES * MOST_CLASSES)
  readonly #states: { readonly steps: readonly number[]; readonly before: number }[] = []
  readonly #stateByKey = new Map<string, number>()
  /** Of each class, one of its characters. */
  readonly #runeOfClass: number[] = [NO_RUNE]
  readonly #classBySignature = new Map<string, number>()
  readonly #classOfRune = new Map<number, number>()
  #stepsKept = 0
  /** By which look each step was reached last. */
  readonly #looks: Uint32Array
  #look = 0
  #isGivenUp: boolean

  constructor(source: string) {
    this.#pattern = RE2JS.compile(source)
    this.#program = this.#pattern.re2().prog as Program
    this.#isGivenUp = this.#program.numLb > 0
    this.#looks = new Uint32Array(this.#program.inst.length)
    this.#stateOf([this.#program.start], NO_RUNE)
  }

  /** Whether it is anywhere in these bytes, which are UTF-8. */
  isIn(bytes: Buffer, from: number, to: number): boolean {
    if (this.#isGivenUp) return this.#pattern.test(bytes.subarray(from, to))
    return this.#isFound(this.#follow(0, bytes, from, to), bytes, from, to)
  }

  /** The same, a piece of the bytes at a time. */
  *isInByPieces(bytes: Buffer, from: number, to: number): Generator<void, boolean> {
    let state = 0
    for (let at = from; at < to && state >= 0 && !this.#isGivenUp;) {
      let end = Math.min(at + PIECE, to)
      // Characters are whole.
      while (end < to && (bytes[end]! & 0xc0) === 0x80) end++
      state = this.#follow(state, bytes, at, end)
      at = end
      yield
    }
    if (state === GIVEN_UP) this.#isGivenUp = true
    if (!this.#isGivenUp) return this.#isFound(state, bytes, from, to)
    if (to - from <= SHORT || this.#program.numLb > 0) return this.isIn(bytes, from, to)
    return yield* this.#search(bytes, from, to)
  }

  /** Tries all steps that are possible at each character. */
  *#search(bytes: Buffer, from: number, to: number): Generator<void, boolean> {
    const { inst, start } = this.#program
    let steps = [start]
    let before = NO_RUNE
    let tried = 0
    for (let at = from; ; at += widthOf(bytes[at]!)) {
      const rune = at < to ? runeAt(bytes, at) : NO_RUNE
      const reached = this.#reach(steps, between(before, rune))
      if (reached.some((step) => inst[step]!.op === OP.match)) return true
      if (rune === NO_RUNE) return false
      steps = [start]
      for (const step of reached) if (inst[step]!.matchRune(rune)) steps.push(inst[step]!.out)
      before = rune
      tried += reached.length + 1
      if (tried < MOST_TRIED) continue
      tried = 0
      yield
    }
  }

  /** The state behind these bytes, or what is known before their end. */
  #follow(from: number, bytes: Buffer, start: number, end: number): number {
    let next = this.#next
    let state = from
    for (let at = start; at < end;) {
      const row = state << ROW_BITS
      let byte = bytes[at]!
      let following = next[row | byte]!
      // Where a state follows itself, no look has to wait for the one before it.
      while (following === state) {
        if (++at === end) return state
        byte = bytes[at]!
        following = next[row | byte]!
      }
      if (following === UNKNOWN) {
        following = this.#learn(state, byte, bytes, at)
        next = this.#next
      }
      if (following < 0) return following
      at += byte < ASCII ? 1 : widthOf(byte)
      state = following
    }
    return state
  }

  /** Finds what follows a state behind the character that begins with this byte. */
  #learn(state: number, byte: number, bytes: Buffer, at: number): number {
    const cls = this.#classOf(byte < ASCII ? byte : runeAt(bytes, at))
    const following = cls < 0 ? GIVEN_UP : this.#following(state, cls)
    if (byte < ASCII && following !== GIVEN_UP) this.#next[(state << ROW_BITS) | byte] = following
    return following
  }

  #following(state: number, cls: number): number {
    const known = this.#nextOfClass[state * MOST_CLASSES + cls]!
    return known === UNKNOWN ? this.#step(state, cls) : known
  }

  /** Whether it was found, once all bytes were followed to this state. */
  #isFound(state: number, bytes: Buffer, from: number, to: number): boolean {
    if (state === GIVEN_UP) return this.#giveUp(bytes, from, to)
    return (state < 0 ? state : this.#following(state, END)) === FOUND
  }

  #giveUp(bytes: Buffer, from: number, to: number): boolean {
    this.#isGivenUp = true
    return this.isIn(bytes, from, to)
  }

  #classOf(rune: number): number {
    const known = this.#classOfRune.get(rune)
    if (known !== undefined) return known
    const found = this.#classify(rune)
    if (this.#classOfRune.size >= MOST_RUNES_KEPT) this.#classOfRune.clear()
    this.#classOfRune.set(rune, found)
    return found
  }

  #classify(rune: number): number {
    let signature = rune === NEW_LINE ? 'line' : isWord(rune) ? 'word' : ''
    for (const [at, step] of this.#program.inst.entries()) {
      if (isReading(step) && step.matchRune(rune)) signature += `,${at}`
    }
    const known = this.#classBySignature.get(signature)
    if (known !== undefined) return known
    const made = this.#runeOfClass.length
    if (made === MOST_CLASSES) {
      this.#isGivenUp = true
      return GIVEN_UP
    }
    this.#runeOfClass.push(rune)
    this.#classBySignature.set(signature, made)
    return made
  }

  /** Finds what follows a state, once. */
  #step(state: number, cls: number): number {
    const rune = this.#runeOfClass[cls]!
    const { steps, before } = this.#states[state]!
    const reached = this.#reach(steps, between(before, rune))
    const { inst, start } = this.#program
    const isFound = reached.some((at) => inst[at]!.op === OP.match)
    const read = reached.filter((at) => inst[at]!.matchRune(rune)).map((at) => inst[at]!.out)
    // A match may begin at each character.
    const following = isFound
      ? FOUND
      : cls === END || this.#reach([start, ...read], ANYWHERE_BEHIND).length === 0
        ? NOT_FOUND
        : this.#stateOf([start, ...read], rune)
    if (following !== GIVEN_UP) this.#nextOfClass[state * MOST_CLASSES + cls] = following
    return following
  }

  /** The steps that read a character or are the end of a match, from these, at such a place. */
  #reach(from: readonly number[], place: number): number[] {
    const { inst } = this.#program
    const looks = this.#looks
    const look = ++this.#look
    const waiting = [...from]
    const reached: number[] = []
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      if (looks[at] === look) continue
      looks[at] = look
      const step = inst[at]!
      if (step.op === OP.alt || step.op === OP.altMatch) waiting.push(step.out, step.arg)
      else if (step.op === OP.nop || step.op === OP.capture) waiting.push(step.out)
      else if (step.op === OP.emptyWidth) {
        if ((step.arg & ~place) === 0) waiting.push(step.out)
      } else if (step.op === OP.match || isReading(step)) reached.push(at)
    }
    return reached
  }

  /** The state of waiting at these steps, behind this character. */
  #stateOf(steps: readonly number[], rune: number): number {
    const sorted = [...new Set(steps)].toSorted((one, other) => one - other)
    // All characters behind which the same can be are one.
    const before = rune === NO_RUNE || rune === NEW_LINE ? rune : isWord(rune) ? WORD : NO_WORD
    const key = `${before}:${sorted.join(',')}`
    const known = this.#stateByKey.get(key)
    if (known !== undefined) return known
    const made = this.#states.length
    this.#stepsKept += sorted.length
    if (made === MOST_STATES || this.#stepsKept > MOST_STEPS_KEPT) return GIVEN_UP
    this.#states.push({ steps: sorted, before })
    this.#stateByKey.set(key, made)
    if (this.#next.length === made << ROW_BITS) this.#grow()
    return made
  }

  #grow(): void {
    this.#next = tableOf(this.#next.length * 2, this.#next)
    this.#nextOfClass = tableOf(this.#nextOfClass.length * 2, this.#nextOfClass)
  }
}

function tableOf(size: number, known: Int16Array = new Int16Array(0)): Int16Array<ArrayBuffer> {
  const table = new Int16Array(size).fill(UNKNOWN)
  table.set(known)
  return table
}

const WORD = 0x61
const NO_WORD = 0x20

const isReading = ({ op }: Instruction): boolean => op >= OP.rune && op <= OP.lastRune

const isWord = (rune: number): boolean =>
  (rune >= 0x30 && rune <= 0x39) ||
  (rune >= 0x41 && rune <= 0x5a) ||
  rune === 0x5f ||
  (rune >= 0x61 && rune <= 0x7a)

/** What is true between two characters. */
function between(before: number, after: number): number {
  return (
    (before === NO_RUNE ? AT.beginText | AT.beginLine : 0) |
    (before === NEW_LINE ? AT.beginLine : 0) |
    (after === NO_RUNE ? AT.endText | AT.endLine : 0) |
    (after === NEW_LINE ? AT.endLine : 0) |
    (isWord(before) === isWord(after) ? AT.noWord : AT.word)
  )
}

const widthOf = (lead: number): number => (lead < ASCII ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4)

function runeAt(bytes: Buffer, at: number): number {
  const lead = bytes[at]!
  if (lead < ASCII) return lead
  const second = bytes[at + 1]! & 0x3f
  if (lead < 0xe0) return ((lead & 0x1f) << 6) | second
  const third = bytes[at + 2]! & 0x3f
  if (lead < 0xf0) return ((lead & 0x0f) << 12) | (second << 6) | third
  return ((lead & 0x07) << 18) | (second << 12) | (third << 6) | (bytes[at + 3]! & 0x3f)
}
