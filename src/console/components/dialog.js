import { t } from '../core/language.js'
import { useDeed } from '../core/loading.js'
import { html, useEffect, useId, useRef, useState } from '../core/ui.js'
import { TextField } from './field.js'
import { Problem } from './problem.js'

/** Modal: the browser keeps the keyboard in it and gives it back. */
function Dialog({ title, wide = false, onClose, children }) {
  const box = useRef(null)
  const id = useId()
  useEffect(() => {
    const opened = box.current
    opened.showModal()
    return () => opened.close()
  }, [])
  return html`<dialog
    ref=${box}
    class=${wide ? 'wide' : undefined}
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

/** Something to look at, or to choose from. */
export function ShowDialog({ title, wide, onClose, children }) {
  return html`<${Dialog} title=${title} wide=${wide} onClose=${onClose}>
    ${children}
    <div class="row row-end"><button type="button" onClick=${onClose}>${t('close')}</button></div>
  <//>`
}

/**
 * A form with one deed, and its refusal. `fields(errorAt)` draws what is filled in; whoever opened it
 * closes it when it is done. While the deed lasts it stays open; `onStop` is what Cancel does then.
 * Of a refusal with remedies, `deed` is given the one that was chosen.
 */
export function FormDialog(props) {
  const { title, wide, fields, deed, onStop, onClose, onDone } = props
  const { label = t('save'), kind = 'primary', isReady = true } = props
  const { isBusy, problem, errorAt, attempt } = useDeed()
  const run = async (remedy) => {
    const { done, result } = await attempt(() => deed(remedy))
    if (done) onDone(result)
  }
  const submit = (event) => {
    event.preventDefault()
    return run()
  }
  const leave = () => (isBusy ? onStop?.() : onClose())
  return html`<${Dialog} title=${title} wide=${wide} onClose=${leave}>
    <form class="form" onSubmit=${submit}>
      ${fields(errorAt)}
      <${Problem} problem=${problem} onRemedy=${run} />
      ${isBusy && html`<p class="soft" role="status">${t('working')}</p>`}
      <div class="row row-end">
        <button type="button" disabled=${isBusy && !onStop} onClick=${leave}>${t('cancel')}</button>
        <button type="submit" class=${kind} disabled=${isBusy || !isReady}>${label}</button>
      </div>
    </form>
  <//>`
}

/** Asks before something that cannot be taken back; `typed` is a word that has to be written. */
export function Confirm({ title, text, deed, label, typed, onClose, onDone }) {
  const [written, setWritten] = useState('')
  const fields = () =>
    html`<p>${text}</p>
      ${
        typed !== undefined &&
        html`<${TextField}
          label=${t('typeToConfirm', { name: typed })}
          autocomplete="off"
          value=${written}
          onInput=${setWritten}
        />`
      }`
  return html`<${FormDialog}
    title=${title}
    label=${label}
    kind="danger"
    isReady=${typed === undefined || written === typed}
    fields=${fields}
    deed=${deed}
    onClose=${onClose}
    onDone=${(result) => {
      onClose()
      onDone?.(result)
    }}
  />`
}
