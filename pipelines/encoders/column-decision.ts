import type { NumberNotation } from '../core/plan.ts'
import type { ColumnPlan } from '../core/plan.ts'
import type { UiDateFormat } from '../core/options.ts'
import type { LayoutName } from '../dates/formats.ts'

/**
 * The type of a column and how its cells are read: everything that an encoder needs besides the
 * bytes.
 */
export type ColumnDecision =
  | TextDecision
  | NumberDecision
  | DateDecision
  | BooleanDecision
  | JsonDecision

interface Decided {
  /**
   * Whether the request gave the type, which is then fixed. A detected type widens, except for
   * dates.
   */
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
  /**
   * The unit or currency of every value; empty if they have none. A type given by the request
   * accepts any.
   */
  readonly unit: string
  /** Whether some value settled the notation; otherwise a later one may still change it. */
  readonly settled: boolean
  /**
   * All values were shown with fixed digits: the first for which these are more than its number
   * turns the column into text.
   */
  readonly keepsShown?: boolean
}

export interface DateDecision extends Decided {
  readonly type: 'date'
  readonly sqlType: 'date' | 'timestamptz'
  readonly dateFormat: UiDateFormat
  /** The detected layout; null if the request named the format. */
  readonly layout: LayoutName | null
  /** Given by the request; tried before all layouts. */
  readonly pattern?: string
}

interface BooleanDecision extends Decided {
  readonly type: 'boolean'
  readonly sqlType: 'boolean'
  /** Crosses and blanks: a blank means false. */
  readonly areBoxes?: boolean
}

interface JsonDecision extends Decided {
  readonly type: 'json'
  readonly sqlType: 'jsonb'
}

export const TEXT: TextDecision = { type: 'text', sqlType: 'text', given: false }

/** Whether all numbers with separators can still be read in two ways. */
export function isOpen(decision: ColumnDecision): boolean {
  return decision.type === 'number' && !decision.settled && decision.notation !== 'plain'
}

/** The part of a decision that people see. */
export function toPlan(name: string, column: string, decision: ColumnDecision): ColumnPlan {
  const { type, sqlType, given } = decision
  const plan = { name, column, type, sqlType, given }
  return decision.type === 'date' ? { ...plan, ...shownNotation(decision) } : plan
}

/** How a column's dates are written: its pattern, otherwise its format. */
function shownNotation({
  pattern,
  dateFormat,
}: DateDecision): Pick<ColumnPlan, 'pattern' | 'dateFormat'> {
  return pattern === undefined ? { dateFormat } : { pattern }
}
