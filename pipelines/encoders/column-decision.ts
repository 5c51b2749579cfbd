import type { NumberNotation } from '../core/plan.ts'
import type { ColumnPlan } from '../core/plan.ts'
import type { UiDateFormat } from '../core/options.ts'
import type { LayoutName } from '../dates/formats.ts'

/** What a column is, and how its cells are read: all that an encoder needs besides the bytes. */
export type ColumnDecision =
  | TextDecision
  | NumberDecision
  | DateDecision
  | BooleanDecision
  | JsonDecision

interface Decided {
  /** By the request: held to. Otherwise detected: widens, but for dates. */
  readonly given: boolean
}

export interface TextDecision extends Decided {
  readonly type: 'text'
  readonly sqlType: 'text'
}

export interface NumberDecision extends Decided {
  readonly type: 'number'
  readonly sqlType: 'bigint' | 'numeric'
  readonly notation: NumberNotation
  /** The unit or currency that every value has; empty: none has one. A given number takes any. */
  readonly unit: string
  /** Whether some value left no doubt about the notation; else a later one may still change it. */
  readonly settled: boolean
  /** All values were shown with fixed digits: the first that says more than its number makes it text. */
  readonly keepsShown?: boolean
}

export interface DateDecision extends Decided {
  readonly type: 'date'
  readonly sqlType: 'date' | 'timestamptz'
  readonly dateFormat: UiDateFormat
  /** The layout that was detected; null where the request named the format. */
  readonly layout: LayoutName | null
  /** By the request: tried before all layouts. */
  readonly pattern?: string
}

interface BooleanDecision extends Decided {
  readonly type: 'boolean'
  readonly sqlType: 'boolean'
  /** Crosses and blanks: a blank says no. */
  readonly areBoxes?: boolean
}

interface JsonDecision extends Decided {
  readonly type: 'json'
  readonly sqlType: 'jsonb'
}

export const TEXT: TextDecision = { type: 'text', sqlType: 'text', given: false }

/** Numbers with signs in them that can all be read in two ways. */
export function isOpen(decision: ColumnDecision): boolean {
  return decision.type === 'number' && !decision.settled && decision.notation !== 'plain'
}

/** The part of a decision that people see. */
export function toPlan(name: string, column: string, decision: ColumnDecision): ColumnPlan {
  const { type, sqlType, given } = decision
  const plan = { name, column, type, sqlType, given }
  return decision.type === 'date' ? { ...plan, ...shownNotation(decision) } : plan
}

/** How a column's dates are written: by its pattern, else by its format. */
function shownNotation({
  pattern,
  dateFormat,
}: DateDecision): Pick<ColumnPlan, 'pattern' | 'dateFormat'> {
  return pattern === undefined ? { dateFormat } : { pattern }
}
