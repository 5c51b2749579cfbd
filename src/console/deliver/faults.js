import { ByRule } from '../components/check.js'
import { TextField } from '../components/field.js'
import { t } from '../core/language.js'
import { html, useEffect, useMemo, useState } from '../core/ui.js'
import { linesOf, placeOf, textOf } from './mend-text.js'

/** Every cell that does not fit, with why; in a text file it is put right where it stands. */
export function Faults({ check, file, isBusy, onMend }) {
  const { errors, byRule, mapping } = check
  const [text, setText] = useState(null)
  const [typed, setTyped] = useState({})
  useEffect(() => {
    let isWanted = true
    setTyped({})
    void textOf(file).then((found) => isWanted && setText(found))
    return () => {
      isWanted = false
    }
  }, [check])
  const faults = useMemo(() => {
    const lines = text === null ? [] : linesOf(text)
    const indexOf = (name) => mapping.findIndex(({ column, header }) => (column ?? header) === name)
    return errors.map((error) => ({
      ...error,
      place: text === null ? null : placeOf(text, lines, error, indexOf(error.column)),
    }))
  }, [errors, text])
  if (errors.length === 0) return null
  const mends = faults.flatMap(({ place }, at) =>
    place && typed[at] !== undefined ? [{ text, place, value: typed[at] }] : [],
  )
  return html`<${ByRule} of=${byRule} />
    <ul class="faults" tabindex="0" aria-label=${t('invalidCells')}>
      ${faults.map(
        (fault, at) =>
          html`<li key=${at}>
            <${Fault}
              of=${fault}
              typed=${typed[at]}
              onInput=${(value) => setTyped({ ...typed, [at]: value })}
            />
          </li>`,
      )}
    </ul>
    ${
      mends.length > 0 &&
      html`<div class="row">
        <button type="button" class="primary" disabled=${isBusy} onClick=${() => onMend(mends)}>
          ${t('deliver.mend', { count: mends.length })}
        </button>
      </div>`
    }`
}

function Fault({ of: { row, line, column, value, message, place }, typed, onInput }) {
  const where = line === undefined ? t('atRow', { row }) : t('atLine', { line })
  const label = [where, column].filter(Boolean).join(', ')
  if (place === null) {
    return html`<p><strong>${label}</strong> <code>${value}</code></p>
      <p class="field-error">${message}</p>`
  }
  return html`<${TextField}
    label=${label}
    error=${typed === undefined ? message : undefined}
    hint=${message}
    value=${typed ?? value}
    onInput=${onInput}
  />`
}
