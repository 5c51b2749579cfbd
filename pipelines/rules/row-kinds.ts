import type { Message } from '../core/message.ts'
import type { ColumnType } from '../core/options.ts'
import type { RowComparison, RowRule } from '../core/rule.ts'
import { decimalOf } from './bounds.ts'
import type { CellValue } from './cell-value.ts'
import { compareDecimals, plainest, scaled, scaleOf, unscaled } from './decimals.ts'
import { flawMessages, type RuleFlaw } from './flaw-messages.ts'
import { ruleMessages } from './rule-messages.ts'

interface RuledColumn {
  readonly name: string
  readonly type: ColumnType
}

/** What is said of a row that breaks a rule; `value` is that of the column at fault. */
interface RowSaid {
  readonly rule: string
}

interface RowKind {
  /** Where the rule names columns: pointers into it. */
  columns(rule: RowRule): readonly { readonly pointer: string; readonly name: string }[]
  /** What makes it impossible, once all columns are known, in the order of `columns`. */
  flaws(columns: readonly RuledColumn[], rule: RowRule): readonly RuleFlaw[]
  /** The column whose cell is at fault, among `columns`. */
  atFault(rule: RowRule): number
  /**
   * Judges a row of which all these values are there; null: it keeps the rule. Absent: it is judged
   * over all rows.
   */
  judge?(rule: RowRule): (values: readonly CellValue[], said: RowSaid) => Message | null
}

export const ROW_RULE_KINDS = ['unique', 'compare', 'sum'] as const
export type RowRuleKind = (typeof ROW_RULE_KINDS)[number]

const ORDERED: readonly ColumnType[] = ['number', 'date']

const KEPT: Readonly<Record<RowComparison, (order: number) => boolean>> = {
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '=': (order) => order === 0,
  '!=': (order) => order !== 0,
}

/** All that is known of a kind of rule about rows; a new kind is one more of these. */
export const ROW_KINDS: Readonly<Record<RowRuleKind, RowKind>> = {
  unique: {
    columns: ({ unique }) => named('/unique', unique!),
    flaws: (columns) => [
      ...repeated('/unique', columns),
      ...columns.flatMap(({ type }, at) =>
        type === 'json'
          ? [
              {
                pointer: `/unique/${at}`,
                message: flawMessages.notOfType({ kind: 'unique', type }),
              },
            ]
          : [],
      ),
    ],
    atFault: () => 0,
  },
  compare: {
    columns: ({ compare }) => [
      { pointer: '/compare/0', name: compare![0] },
      { pointer: '/compare/2', name: compare![2] },
    ],
    flaws([first, second], { compare }) {
      const [, sign] = compare!
      const isOrder = sign === '<' || sign === '<='
      const fits =
        first!.type === second!.type &&
        (isOrder ? ORDERED.includes(first!.type) : first!.type !== 'json')
      if (!fits) {
        const message = flawMessages.unlike({ first: first!.name, second: second!.name })
        return [{ pointer: '/compare', message }]
      }
      return first === second ? [{ pointer: '/compare/2', message: flawMessages.sameColumn() }] : []
    },
    atFault: () => 0,
    judge({ compare }) {
      const [first, sign, second] = compare!
      const isKept = KEPT[sign]
      return ([one, other], { rule }) =>
        isKept(orderOf(one!, other!))
          ? null
          : ruleMessages.compare({
              rule,
              value: one!.shown,
              first,
              sign,
              second,
              other: other!.shown,
            })
    },
  },
  sum: {
    columns: ({ sum, equals }) => [...named('/sum', sum!), { pointer: '/equals', name: equals! }],
    flaws: (columns, { sum, within }) => [
      ...repeated('/sum', columns.slice(0, -1)),
      ...columns.flatMap(({ type }, at) =>
        type === 'number'
          ? []
          : [
              {
                pointer: at < sum!.length ? `/sum/${at}` : '/equals',
                message: flawMessages.notOfType({ kind: 'sum', type }),
              },
            ],
      ),
      ...(within !== undefined && decimalOf(within) === null
        ? [{ pointer: '/within', message: flawMessages.number() }]
        : []),
    ],
    atFault: ({ sum }) => sum!.length,
    judge({ sum, equals, within = 0 }) {
      const allowed = decimalOf(within)!
      return (values, { rule }) => {
        const texts = values.map(({ text }) => text)
        const scale = Math.max(...texts.map(scaleOf), scaleOf(allowed))
        const units = texts.map((text) => scaled(text, scale))
        const total = units.pop()!
        const added = units.reduce((one, other) => one + other, 0n)
        const apart = added > total ? added - total : total - added
        if (apart <= scaled(allowed, scale)) return null
        return ruleMessages.sum({
          rule,
          value: texts.at(-1)!,
          columns: sum!.join(' + '),
          sum: plainest(unscaled(added, scale)),
          total: equals!,
        })
      }
    },
  },
}

const named = (pointer: string, names: readonly string[]) =>
  names.map((name, at) => ({ pointer: `${pointer}/${at}`, name }))

function repeated(pointer: string, columns: readonly RuledColumn[]): readonly RuleFlaw[] {
  return columns.flatMap((column, at) =>
    columns.indexOf(column) < at
      ? [{ pointer: `${pointer}/${at}`, message: flawMessages.sameColumn() }]
      : [],
  )
}

/** Of two values of the same type. */
function orderOf(one: CellValue, other: CellValue): number {
  switch (one.sqlType) {
    case 'bigint':
    case 'numeric':
      return compareDecimals(one.text, other.text)
    case 'date':
    case 'timestamptz':
      return one.instant - other.instant
    default:
      return one.text === other.text ? 0 : one.text < other.text ? -1 : 1
  }
}
