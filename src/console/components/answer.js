import { isAbsent } from '../core/api.js'
import { t } from '../core/language.js'
import { linkTo } from '../core/router.js'
import { isAdmin } from '../core/session.js'
import { html } from '../core/ui.js'
import { Head } from './frame.js'
import { Absent, Problem } from './problem.js'

/**
 * What was asked for, once it is there; before that, that it comes or why it does not. `thing`: the uuid
 * of what a screen is about, which may have been deleted since somebody was led to it.
 */
export function Answer({ of: { data, problem, askAgain }, thing, show }) {
  if (data) return html`<${Problem} problem=${problem} askAgain=${askAgain} />${show(data)}`
  if (isAbsent(problem)) return html`<${Absent} />`
  if (thing && problem?.status === 404) return html`<${Gone} thing=${thing} />`
  if (problem) return html`<${Problem} problem=${problem} askAgain=${askAgain} />`
  return html`<p class="soft loading" role="status">${t('loading')}</p>`
}

const Gone = ({ thing }) =>
  html`<${Head} title=${t('gone')} about=${t('gone.about')}>
    ${isAdmin() && html`<a class="button" href=${linkTo('audit', { thing })}>${t('gone.audit')}</a>`}
  <//>`
