import { t } from '../core/language.js'
import { html, signal } from '../core/ui.js'

const SHOWN_MS = 6000
const shown = signal([])
let last = 0

/** A sentence that comes and goes: something was done. */
export function tell(text, kind = 'good') {
  const id = ++last
  shown.value = [...shown.value, { id, text, kind }]
  setTimeout(() => dismiss(id), SHOWN_MS)
}

const dismiss = (id) => {
  shown.value = shown.value.filter((toast) => toast.id !== id)
}

export function Toasts() {
  return html`<div class="toasts" role="status" aria-live="polite">
    ${shown.value.map(
      ({ id, text, kind }) =>
        html`<div key=${id} class=${`notice ${kind}`}>
          <div class="row">
            <span class="grow">${text}</span>
            <button type="button" class="plain" onClick=${() => dismiss(id)}>${t('close')}</button>
          </div>
        </div>`,
    )}
  </div>`
}
