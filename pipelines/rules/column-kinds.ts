import { RE2JS } from 're2js'

import type { Message } from '../core/message.ts'
import type { ColumnType } from '../core/options.ts'
import type { SqlType } from '../core/plan.ts'
import type { FieldNotation } from '../core/field-notation.ts'
import type { ColumnRule, RuleScalar } from '../core/rule.ts'
import { decimalOf, momentOf, type Span, spanOf } from './bounds.ts'
import { BytePattern } from './byte-pattern.ts'
import type { CellValue } from './cell-value.ts'
import { areApart, compareDecimals, plainest } from './decimals.ts'
import { flawMessages, type RuleFlaw } from './flaw-messages.ts'
import { KnownTexts } from './known-texts.ts'
import { createNotation, type Notation, NOTATIONS } from './notations.ts'
import { ruleMessages } from './rule-messages.ts'
import { ruleWords } from './rule-words.ts'
import { LONGEST_FORMATTED, TEXT_FORMATS } from './text-formats.ts'

/** Whether a value keeps a rule. */
interface Test {
  (value: CellValue): boolean
  /** What keeps it whatever else it is. Absent: size says nothing. */
  readonly sure?: (sqlType: SqlType) => Span
  /** The same of a long value, a piece at a time. Absent: one look is short. */
  readonly byPieces?: (value: CellValue) => Generator<void, boolean>
}

/** All that is known of a kind of rule; a new kind is one more of these. */
interface ColumnKind<Given> {
  /** The types of columns that it can be asked of. */
  readonly types: readonly ColumnType[]
  /** What makes it impossible, besides the type. */
  flaws?(given: Given, type: ColumnType): readonly RuleFlaw[]
  /** Judges a value that is there. Absent: it is judged otherwise. */
  test?(given: Given, type: ColumnType): Test
  /** Reads and judges values as they are written. */
  notation?(given: Given): Notation
  /** What it asks, for people who fill in a template. */
  words(given: Given): Message
  broken(given: Given, said: { readonly rule: string; readonly value: string }): Message
  /** Its counterpart in `constraints` of a Table Schema; null: it has none. */
  constraint(given: Given): Readonly<Record<string, unknown>> | null
}

type Kinds = {
  readonly [Kind in ColumnRuleKind]: ColumnKind<NonNullable<ColumnRule[Kind]>>
}

export type ColumnRuleKind = Exclude<keyof ColumnRule, 'severity' | 'name' | 'message'>

const ALL: readonly ColumnType[] = ['text', 'number', 'date', 'boolean', 'json']
const SCALAR: readonly ColumnType[] = ['text', 'number', 'date', 'boolean']
const ORDERED: readonly ColumnType[] = ['number', 'date']
const TEXT: readonly ColumnType[] = ['text']

const MOST_LISTED = 10
/** In bytes. */
const LONGEST_CHARACTER = 4

/** `beyond`: on which side of the bound values break it. */
const bound = (beyond: -1 | 1, edge: 'from' | 'to') => ({
  types: ORDERED,
  flaws: (given: string | number, type: ColumnType) => scalarFlaws(given, type, ''),
  test(given: string | number, type: ColumnType): Test {
    if (type === 'date') {
      const limit = momentOf(given)![edge]
      const sure = beyond < 0 ? { from: limit, to: Infinity } : { from: -Infinity, to: limit }
      return Object.assign((value: CellValue) => value.isWithin(sure), { sure: () => sure })
    }
    const limit = decimalOf(given)!
    const nearLimit = Number(limit)
    const isKept = (value: CellValue) => {
      const { nearly } = value
      const order = areApart(nearly, nearLimit)
        ? nearly - nearLimit
        : compareDecimals(value.text, limit)
      return order * beyond <= 0
    }
    const sure = (sqlType: SqlType) => spanOf(limit, beyond, sqlType === 'bigint')
    return Object.assign(isKept, { sure })
  },
})

export const COLUMN_KINDS: Kinds = {
  required: {
    types: ALL,
    words: () => ruleWords.required(),
    broken: (_given, { rule, value }) => ruleMessages.required({ rule, value: value.trim() }),
    constraint: () => ({ required: true }),
  },
  unique: {
    types: SCALAR,
    words: () => ruleWords.unique(),
    broken: (_given, said) => ruleMessages.unique(said),
    constraint: () => ({ unique: true }),
  },
  written: {
    types: ALL,
    flaws: (given, type) => notationFlaws(given, type),
    notation: createNotation,
    words: (given) =>
      given.type === 'any'
        ? ruleWords.missing({ values: listed(given.missingValues ?? []) })
        : ruleWords.written({ what: NOTATIONS[given.type].what(given) }),
    broken: (given, said) =>
      ruleMessages.written({ ...said, what: NOTATIONS[given.type].what(given) }),
    // A field says it beside its constraints.
    constraint: () => null,
  },
  oneOf: {
    types: SCALAR,
    flaws: (given, type) => given.flatMap((value, at) => scalarFlaws(value, type, `/${at}`)),
    test(given, type) {
      if (type === 'text') {
        const texts = new KnownTexts(given as readonly string[])
        return (value) => value.isAmong(texts)
      }
      const allowed = new Set(given.map((value) => KEYS[type].ofRule(value)))
      const keyOf = KEYS[type].ofValue
      return (value) => allowed.has(keyOf(value))
    },
    words: (given) => ruleWords.oneOf({ values: listed(given) }),
    broken: (given, said) => ruleMessages.oneOf({ ...said, values: listed(given) }),
    constraint: (given) => ({ enum: given }),
  },
  matches: {
    types: TEXT,
    flaws: (given) => patternFlaws(given),
    test(given) {
      const pattern = new BytePattern(given)
      return Object.assign((value: CellValue) => value.contains(pattern), {
        byPieces: (value: CellValue) => value.containsByPieces(pattern),
      })
    },
    words: (given) => ruleWords.matches({ pattern: shownPattern(given) }),
    broken: (given, said) => ruleMessages.matches({ ...said, pattern: shownPattern(given) }),
    constraint: (given) => ({ pattern: wholePattern(given) }),
  },
  minimum: {
    ...bound(-1, 'from'),
    words: (given) => ruleWords.minimum({ bound: String(given) }),
    broken: (given, said) => ruleMessages.minimum({ ...said, bound: String(given) }),
    constraint: (given) => ({ minimum: given }),
  },
  maximum: {
    ...bound(1, 'to'),
    words: (given) => ruleWords.maximum({ bound: String(given) }),
    broken: (given, said) => ruleMessages.maximum({ ...said, bound: String(given) }),
    constraint: (given) => ({ maximum: given }),
  },
  minLength: {
    types: TEXT,
    test(given) {
      const sure = () => ({ from: LONGEST_CHARACTER * given, to: Infinity })
      return Object.assign((value: CellValue) => value.hasAtLeast(given), { sure })
    },
    words: (given) => ruleWords.minLength({ length: given }),
    broken: (given, said) => ruleMessages.minLength({ ...said, length: given }),
    constraint: (given) => ({ minLength: given }),
  },
  maxLength: {
    types: TEXT,
    test(given) {
      const sure = () => ({ from: 0, to: given })
      return Object.assign((value: CellValue) => value.hasAtMost(given), { sure })
    },
    words: (given) => ruleWords.maxLength({ length: given }),
    broken: (given, said) => ruleMessages.maxLength({ ...said, length: given }),
    constraint: (given) => ({ maxLength: given }),
  },
  format: {
    types: TEXT,
    test(given) {
      const format = TEXT_FORMATS[given]
      return (value) => value.sizeBytes <= LONGEST_FORMATTED && format.isMet(value.text)
    },
    words: (given) => ruleWords.format({ what: TEXT_FORMATS[given].what() }),
    broken: (given, said) => ruleMessages.format({ ...said, what: TEXT_FORMATS[given].what() }),
    // The format of a field stands beside its constraints.
    constraint: () => null,
  },
  in: {
    types: SCALAR,
    words: ({ column }) => ruleWords.in({ column }),
    broken: ({ column }, said) => ruleMessages.in({ ...said, column }),
    constraint: () => null,
  },
}

export const COLUMN_RULE_KINDS = Object.keys(COLUMN_KINDS) as readonly ColumnRuleKind[]

/** By what two values are the same. */
const KEYS: Readonly<
  Record<
    Exclude<ColumnType, 'text'>,
    { ofRule(value: RuleScalar): unknown; ofValue(value: CellValue): unknown }
  >
> = {
  json: { ofRule: (value) => value, ofValue: ({ text }) => text },
  number: { ofRule: (value) => plainest(decimalOf(value)!), ofValue: ({ text }) => plainest(text) },
  date: { ofRule: (value) => momentOf(value)!.from, ofValue: ({ instant }) => instant },
  boolean: { ofRule: (value) => value, ofValue: ({ isTrue }) => isTrue },
}

const FITTING: Readonly<
  Record<ColumnType, { fits(value: RuleScalar): boolean; readonly flaw: () => Message }>
> = {
  text: { fits: (value) => typeof value === 'string', flaw: flawMessages.text },
  json: { fits: () => false, flaw: flawMessages.text },
  number: { fits: (value) => decimalOf(value) !== null, flaw: flawMessages.number },
  date: { fits: (value) => momentOf(value) !== null, flaw: flawMessages.date },
  boolean: { fits: (value) => typeof value === 'boolean', flaw: flawMessages.boolean },
}

function scalarFlaws(value: RuleScalar, type: ColumnType, pointer: string): readonly RuleFlaw[] {
  const { fits, flaw } = FITTING[type]
  return fits(value) ? [] : [{ pointer, message: flaw() }]
}

function notationFlaws(given: FieldNotation, type: ColumnType): readonly RuleFlaw[] {
  const { columns } = NOTATIONS[given.type]
  if (!columns.includes(type)) {
    const message = flawMessages.notOfType({ kind: `written: ${given.type}`, type })
    return [{ pointer: '/type', message }]
  }
  const pattern = given.arrayItem?.constraints?.pattern
  return (pattern === undefined ? [] : patternFlaws(pattern)).map(({ message }) => ({
    pointer: '/arrayItem/constraints/pattern',
    message,
  }))
}

function patternFlaws(pattern: string): readonly RuleFlaw[] {
  try {
    RE2JS.compile(pattern)
    return []
  } catch (error) {
    if (!(error instanceof Error) || !error.name.startsWith('RE2JS')) throw error
    return [{ pointer: '', message: flawMessages.pattern({ because: error.message }) }]
  }
}

/** A Table Schema holds the whole value to its pattern; ours is found anywhere in it. */
const wholePattern = (pattern: string): string =>
  heldWhole(pattern) ?? `[\\s\\S]*(?:${pattern})[\\s\\S]*`

/** As people have written it. */
const shownPattern = (pattern: string): string => heldWhole(pattern) ?? pattern

const heldWhole = (pattern: string): string | undefined => /^\^\(\?:(.*)\)\$$/s.exec(pattern)?.[1]

function listed(values: readonly RuleScalar[]): string {
  const shown = values.slice(0, MOST_LISTED).join(', ')
  return values.length > MOST_LISTED ? `${shown}, …` : shown
}
