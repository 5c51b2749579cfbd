import { html } from '../core/ui.js'

/** One of a few ways, all in sight; `choices` are `[value, words]`. */
export const Switch = ({ label, value, choices, onChange }) =>
  html`<div class="switch" role="group" aria-label=${label}>
    ${choices.map(
      ([name, words]) =>
        html`<button type="button" aria-pressed=${value === name} onClick=${() => onChange(name)}>
          ${words}
        </button>`,
    )}
  </div>`
