import { html, useId, useRef } from '../core/ui.js'

/**
 * A label, its control and what is wrong with it. `control` gets the attributes that tie them. What is
 * wrong is said of a value: once that is another, it is not known to be wrong.
 */
export function Field({ label, value, error: found, hint, control, wide }) {
  const id = useId()
  const said = useRef({})
  if (found !== said.current.error) said.current = { error: found, value }
  const error = said.current.value === value ? found : undefined
  const about = error || hint ? `${id}-about` : undefined
  return html`<div class=${wide ? 'field grow' : 'field'}>
    <label for=${id}>${label}</label>
    ${control({ id, 'aria-describedby': about, 'aria-invalid': error ? 'true' : undefined })}
    ${
      error
        ? html`<p id=${about} class="field-error">${error}</p>`
        : hint && html`<p id=${about} class="small soft">${hint}</p>`
    }
  </div>`
}

export function TextField({ label, value, onInput, error, hint, wide, ...attributes }) {
  const control = (tied) =>
    html`<input
      ...${tied}
      ...${attributes}
      value=${value}
      onInput=${(event) => onInput(event.currentTarget.value)}
    />`
  return html`<${Field}
    label=${label}
    value=${value}
    error=${error}
    hint=${hint}
    wide=${wide}
    control=${control}
  />`
}

/** Text of several lines. */
export function Lines({ label, value, onInput, error, hint, ...attributes }) {
  const control = (tied) =>
    html`<textarea
      ...${tied}
      ...${attributes}
      value=${value}
      onInput=${(event) => onInput(event.currentTarget.value)}
    ></textarea>`
  return html`<${Field}
    label=${label}
    value=${value}
    error=${error}
    hint=${hint}
    control=${control}
  />`
}

/** `choices` are `[value, words]`. */
export function Choice({ label, value, choices, onChange, error, hint, wide, ...attributes }) {
  const control = (tied) =>
    html`<select
      ...${tied}
      ...${attributes}
      value=${value}
      onChange=${(event) => onChange(event.currentTarget.value)}
    >
      ${choices.map(
        ([name, words]) => html`<option value=${name} selected=${name === value}>${words}</option>`,
      )}
    </select>`
  return html`<${Field}
    label=${label}
    value=${value}
    error=${error}
    hint=${hint}
    wide=${wide}
    control=${control}
  />`
}

export function Check({ label, checked, onChange }) {
  return html`<label class="check"
    ><input
      type="checkbox"
      checked=${checked}
      onChange=${(event) => onChange(event.currentTarget.checked)}
    />
    ${label}</label
  >`
}
