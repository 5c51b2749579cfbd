import { t } from '../core/language.js'
import { html } from '../core/ui.js'

/** What was noticed about a file, with its place where it has one. */
export function Warnings({ warnings = [] }) {
  if (warnings.length === 0) return null
  return html`<div class="notice warn">
    <p><strong>${t('warnings', { count: warnings.length })}</strong></p>
    <ul>
      ${warnings.map((warning) => html`<li>${wordsOf(warning)}</li>`)}
    </ul>
  </div>`
}

function wordsOf(warning) {
  if (typeof warning === 'string') return warning
  const { message, line, column } = warning
  const place = [line !== undefined && t('atLine', { line }), column].filter(Boolean).join(', ')
  return place === '' ? message : `${message} (${place})`
}
