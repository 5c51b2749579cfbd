import { t } from '../core/language.js'
import { html, useState } from '../core/ui.js'
import { TextField } from './field.js'

/**
 * One cell that does not fit after the other. `faults` are `{ key, line, column, value, message }`;
 * `onMend(fault, text, isForAlike)` is told what is written in its place, `onBlank` likewise, and
 * `onGo(fault)` which one is looked at.
 */
export function FaultWalk({ faults, onGo, onMend, onBlank }) {
  const [at, setAt] = useState(null)
  const own = Math.min(at ?? 0, faults.length - 1)
  const fault = faults[own]
  const go = (to) => {
    const next = (to + faults.length) % faults.length
    setAt(next)
    onGo(faults[next])
  }
  // What was mended is a fault no more, so the next one has taken its place.
  const stay = () => {
    const rest = faults.filter((other) => other !== fault)
    if (rest.length > 0) onGo(rest[own % rest.length])
  }
  if (!fault) return null
  const alike = faults.filter(isAlike(fault)).length
  return html`<section class="panel walk" aria-label=${t('walk')}>
    <p class="row">
      <strong>${t('walk.of', { at: own + 1, count: faults.length })}</strong>
      <span class="grow"
        >${t('atLine', { line: fault.line })} · <strong>${fault.column}</strong>${' '}
        <code>${fault.value}</code>${' '}<span class="soft">${fault.message}</span></span
      >
      <button type="button" onClick=${() => go(own - 1)}>${t('previous')}</button>
      <button type="button" onClick=${() => go(at === null ? 0 : own + 1)}>${t('next')}</button>
    </p>
    <${Mend}
      key=${fault.key}
      fault=${fault}
      alike=${alike}
      onMend=${(text, isForAlike) => {
        onMend(fault, text, isForAlike)
        stay()
      }}
      onBlank=${(isForAlike) => {
        onBlank(fault, isForAlike)
        stay()
      }}
    />
  </section>`
}

/** Written alike in the same column. */
export const isAlike = (fault) => (other) =>
  other.column === fault.column && other.value === fault.value

function Mend({ fault, alike, onMend, onBlank }) {
  const [text, setText] = useState(fault.value)
  const submit = (event) => {
    event.preventDefault()
    onMend(text, false)
  }
  const isSame = text === fault.value
  return html`<form class="form-line" onSubmit=${submit}>
    <${TextField} label=${t('walk.instead')} autocomplete="off" value=${text} onInput=${setText} />
    <button type="submit" disabled=${isSame}>${t('walk.mend')}</button>
    ${
      alike > 1 &&
      html`<button type="button" disabled=${isSame} onClick=${() => onMend(text, true)}>
        ${t('walk.mendAlike', { count: alike })}
      </button>`
    }
    <button type="button" onClick=${() => onBlank(false)}>${t('walk.blank')}</button>
    ${
      alike > 1 &&
      html`<button type="button" onClick=${() => onBlank(true)}>
        ${t('walk.blankAlike', { count: alike })}
      </button>`
    }
  </form>`
}
