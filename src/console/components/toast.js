import { t } from '../core/language.js'
import { useDeed } from '../core/loading.js'
import { html, signal } from '../core/ui.js'
import { Icon } from './icon.js'
import { Problem } from './problem.js'

const SHOWN_MS = 6000
/** Longer, since it has to be read and decided about. */
const UNDO_SHOWN_MS = 15_000
const shown = signal([])
let last = 0

/**
 * A sentence that comes and goes: something was done, or, with `warn`, was not. `undo` takes it
 * back; what it gives is said in its place.
 */
export function tell(text, kind = 'good', undo = null) {
  const id = show({ text, kind, undo })
  setTimeout(() => dismiss(id), undo ? UNDO_SHOWN_MS : SHOWN_MS)
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
    ${shown.value.map(({ id, problem, ...said }) =>
      problem
        ? html`<${Problem} key=${id} problem=${problem} onClose=${() => dismiss(id)} />`
        : html`<${Toast} key=${id} ...${said} onClose=${() => dismiss(id)} />`,
    )}
  </div>`
}

function Toast({ text, kind, undo, onClose }) {
  const { isBusy, attempt } = useDeed()
  const takeBack = async () => {
    const { done, result } = await attempt(async () => {
      try {
        return await undo()
      } catch (problem) {
        tellProblem(problem)
        throw problem
      }
    })
    onClose()
    if (done) tell(result)
  }
  return html`<div class=${`toast ${kind}`}>
    <${Icon} of=${kind} />
    <span class="grow">${text}</span>
    ${undo && html`<button type="button" disabled=${isBusy} onClick=${takeBack}>${t('undo')}</button>`}
    <button type="button" class="plain" aria-label=${t('close')} onClick=${onClose}>
      <${Icon} of="close" />
    </button>
  </div>`
}
