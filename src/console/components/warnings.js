import { t } from '../core/language.js'
import { html } from '../core/ui.js'
import { Remedies } from './remedies.js'

/** What was noticed about a file, with its place where it has one. */
export function Warnings({ warnings = [], onRemedy }) {
  if (warnings.length === 0) return null
  return html`<div class="notice warn">
    <p><strong>${t('warnings', { count: warnings.length })}</strong></p>
    <ul>
      ${warnings.map(
        (warning) =>
          html`<li>
            ${wordsOf(warning)}
            ${onRemedy && html`<${Remedies} of=${warning.remedies} onRemedy=${onRemedy} />`}
          </li>`,
      )}
    </ul>
  </div>`
}

function wordsOf(warning) {
  if (typeof warning === 'string') return warning
  const { message, line, column } = warning
  const place = [line !== undefined && t('atLine', { line }), column].filter(Boolean).join(', ')
  return place === '' ? message : `${message} (${place})`
}
