import type { CellError, RuleCount } from '../core/errors.ts'
import type { Message } from '../core/message.ts'
import type { Warning } from '../core/warning.ts'
import { ruleMessages } from './rule-messages.ts'

interface FirstBroken extends Pick<CellError, 'row' | 'line' | 'column'> {
  readonly message: Message
}

interface Warned {
  readonly first: FirstBroken
  count: number
}

/** How often each rule was broken. */
export class RuleTally {
  readonly #errors = new Map<string, number>()
  readonly #warnings = new Map<string, Warned>()

  addError(rule: string): void {
    this.#errors.set(rule, (this.#errors.get(rule) ?? 0) + 1)
  }

  /** `first` is asked only for the first time. */
  addWarning(rule: string, first: () => FirstBroken): void {
    const warned = this.#warnings.get(rule)
    if (warned === undefined) this.#warnings.set(rule, { first: first(), count: 1 })
    else warned.count++
  }

  /** The most frequent come first. */
  get byRule(): readonly RuleCount[] {
    return [...this.#errors]
      .map(([rule, count]) => ({ rule, count }))
      .toSorted((one, other) => other.count - one.count)
  }

  get warnings(): readonly Warning[] {
    return [...this.#warnings].map(([rule, { first, count }]) => ({
      code: 'rule-broken',
      message: ruleMessages.warned({ name: rule, count, first: first.message }),
      ...(first.line !== undefined && { line: first.line }),
      column: first.column,
      rule,
      count,
    }))
  }
}
