import { isAbsent } from '../core/api.js'
import { t } from '../core/language.js'
import { html } from '../core/ui.js'
import { Absent, Problem } from './problem.js'

/** What was asked for, once it is there; before that, that it comes or why it does not. */
export function Answer({ of: { data, problem, askAgain }, show }) {
  if (data) return html`<${Problem} problem=${problem} askAgain=${askAgain} />${show(data)}`
  if (isAbsent(problem)) return html`<${Absent} />`
  if (problem) return html`<${Problem} problem=${problem} askAgain=${askAgain} />`
  return html`<p class="soft" role="status">${t('loading')}</p>`
}
