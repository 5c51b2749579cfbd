import { t } from '../core/language.js'
import { html } from '../core/ui.js'

/** What would help; with `onRemedy` a click does it. */
export function Remedies({ of: remedies = [], onRemedy }) {
  if (remedies.length === 0) return null
  return html`<ul class="remedies small" aria-label=${t('remedies')}>
    ${remedies.map(
      (remedy) =>
        html`<li>
          ${
            onRemedy
              ? html`<button type="button" onClick=${() => onRemedy(remedy)}>
                  ${remedy.message}
                </button>`
              : html`${remedy.message}${' '}<code>${JSON.stringify(remedy.options)}</code>`
          }
        </li>`,
    )}
  </ul>`
}

/** What a remedy says of a file, the columns apart. */
export function saidBy({ options: { columns = [], ...options } }) {
  return { options, columns }
}
