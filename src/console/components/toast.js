import { t } from '../core/language.js'
import { html, signal } from '../core/ui.js'
import { Problem } from './problem.js'

const SHOWN_MS = 6000
const shown = signal([])
let last = 0

/** A sentence that comes and goes: something was done, or, with `warn`, was not. */
export function tell(text, kind = 'good') {
  const id = show({ text, kind })
  setTimeout(() => dismiss(id), SHOWN_MS)
}

/** A refusal of what has no place of its own on the screen; it stays until it has been read. */
export function tellProblem(problem) {
  show({ problem })
}

function show(said) {
  const id = ++last
  shown.value = [...shown.value, { id, ...said }]
  return id
}

const dismiss = (id) => {
  shown.value = shown.value.filter((toast) => toast.id !== id)
}

export function Toasts() {
  return html`<div class="toasts" role="status" aria-live="polite">
    ${shown.value.map(({ id, text, kind, problem }) =>
      problem
        ? html`<${Problem} key=${id} problem=${problem} onClose=${() => dismiss(id)} />`
        : html`<div key=${id} class=${`notice ${kind}`}>
            <div class="row">
              <span class="grow">${text}</span>
              <button type="button" class="plain" onClick=${() => dismiss(id)}>
                ${t('close')}
              </button>
            </div>
          </div>`,
    )}
  </div>`
}
