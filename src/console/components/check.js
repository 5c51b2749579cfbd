import { hasWords, t } from '../core/language.js'
import { html } from '../core/ui.js'
import { Problem } from './problem.js'
import { Warnings } from './warnings.js'

/** What a check found: that a file would load, or everything that is wrong with it, by rule and by cell. */
export function CheckResult({ of: check }) {
  const { valid, rows, errors, totalErrors, byRule, warnings } = check
  if (valid) {
    return html`<div class="notice good" role="status">${t('check.valid', { count: rows })}</div>
      <${Warnings} warnings=${warnings} />`
  }
  const sentence = t('check.invalid', { count: totalErrors })
  const cells = { problem: { detail: sentence, errors }, code: 'Checked' }
  return html`<${ByRule} of=${byRule} />
    <${Problem} problem=${cells} />
    <${Warnings} warnings=${warnings} />`
}

/** How often each rule is broken. */
export const ByRule = ({ of: byRule }) =>
  html`<ul class="row" aria-label=${t('check.byRule')}>
    ${byRule.map(
      ({ rule, count }) =>
        html`<li><span class="tag bad">${wordsOfRule(rule)} × ${count}</span></li>`,
    )}
  </ul>`

/** A rule that somebody named is called so. */
const wordsOfRule = (rule) =>
  [`check.${rule}`, `rule.${rule}`].map((key) => hasWords(key) && t(key)).find(Boolean) || rule
