import { t } from '../core/language.js'
import { useDeed } from '../core/loading.js'
import { html, useEffect, useId, useRef, useState } from '../core/ui.js'
import { Problem } from './problem.js'

/** Modal: the browser keeps the keyboard in it and gives it back. */
export function Dialog({ title, onClose, children }) {
  const box = useRef(null)
  const id = useId()
  useEffect(() => {
    const opened = box.current
    opened.showModal()
    return () => opened.close()
  }, [])
  return html`<dialog
    ref=${box}
    aria-labelledby=${id}
    onCancel=${(event) => {
      event.preventDefault()
      onClose()
    }}
  >
    <div class="dialog-body">
      <h2 id=${id}>${title}</h2>
      ${children}
    </div>
  </dialog>`
}

/** Asks before something that cannot be taken back; `typed` is a word that has to be written. */
export function Confirm({ title, text, deed, label, typed, onClose, onDone }) {
  const [written, setWritten] = useState('')
  const { isBusy, problem, attempt } = useDeed()
  const id = useId()
  const submit = async (event) => {
    event.preventDefault()
    const { done, result } = await attempt(deed)
    if (done) {
      onDone?.(result)
      onClose()
    }
  }
  return html`<${Dialog} title=${title} onClose=${onClose}>
    <form class="form" onSubmit=${submit}>
      <p>${text}</p>
      ${
        typed !== undefined &&
        html`<div class="field">
          <label for=${id}>${t('typeToConfirm', { name: typed })}</label>
          <input
            id=${id}
            autocomplete="off"
            value=${written}
            onInput=${(event) => setWritten(event.currentTarget.value)}
          />
        </div>`
      }
      <${Problem} problem=${problem} />
      ${isBusy && html`<p class="soft" role="status">${t('loading')}</p>`}
      <div class="row row-end">
        <button type="button" onClick=${onClose}>${t('cancel')}</button>
        <button
          type="submit"
          class="danger"
          disabled=${isBusy || (typed !== undefined && written !== typed)}
        >
          ${label}
        </button>
      </div>
    </form>
  <//>`
}
