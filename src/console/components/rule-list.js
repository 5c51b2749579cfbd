import { t } from '../core/language.js'
import { html } from '../core/ui.js'
import { Choice } from './field.js'

/** The rules that there are, in words, each with the way to take it out; `aside` says more of one. */
export function RuleList({ label, none, rules, wordsOf, aside, onChange }) {
  if (rules.length === 0) return html`<p class="soft">${none}</p>`
  return html`<ul class="form" aria-label=${label}>
    ${rules.map(
      (rule, at) =>
        html`<li class="row">
          <span class="grow">
            ${wordsOf(rule)}
            ${rule.severity === 'warning' && html` <span class="tag warn">${t('rule.warning')}</span>`}
            ${rule.message && html`<br /><span class="small soft">${rule.message}</span>`}
          </span>
          ${aside?.(at)}
          <button
            type="button"
            class="plain"
            aria-label=${`${t('remove')} ${wordsOf(rule)}`}
            onClick=${() => onChange(rules.toSpliced(at, 1))}
          >
            ${t('remove')}
          </button>
        </li>`,
    )}
  </ul>`
}

/** One that is being written: `parts` say what it is, `more` stands below them, `aside` beside the deed. */
export const NewRule = ({ parts, more, aside, severity, onSeverity, isReady, onAdd }) =>
  html`<fieldset class="panel">
    <legend class="hidden-text">${t('rule.new')}</legend>
    <div class="form-line">
      ${parts}
      <${Choice}
        label=${t('rule.severity')}
        value=${severity}
        choices=${['error', 'warning'].map((name) => [name, t(`rule.severity.${name}`)])}
        onChange=${onSeverity}
      />
    </div>
    ${more}
    <div class="row">
      <button type="button" disabled=${!isReady} onClick=${onAdd}>${t('rule.add')}</button>
      ${aside}
    </div>
  </fieldset>`
