import { html } from '../core/ui.js'

/** A deed in the row of a thing: whoever hears it is told which thing. */
export const RowButton = ({ words, of: name, kind, disabled, onClick }) =>
  html`<button
    type="button"
    class=${kind}
    disabled=${disabled}
    aria-label=${`${words} ${name}`}
    onClick=${onClick}
  >
    ${words}
  </button>`
