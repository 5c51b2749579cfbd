import { Choice, TextField } from '../../components/field.js'
import { Icon } from '../../components/icon.js'
import { comparisonsOf, takesValue } from '../../core/row-filters.js'
import { t } from '../../core/language.js'
import { html, useEffect, useId, useRef, useState } from '../../core/ui.js'

/**
 * Which rows are shown: those that pass every condition. `wanted`: the column of a new one; `beside` is what else
 * can be done with how the rows are looked at.
 */
export function RowFilters({ columns, filters, onChange, wanted, beside }) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  useEffect(() => {
    if (wanted) setOpen(true)
  }, [wanted])
  return html`<div class="row">
      <button
        type="button"
        aria-expanded=${isOpen}
        aria-controls=${isOpen ? id : undefined}
        onClick=${() => setOpen(!isOpen)}
      >
        <${Icon} of="filter" />${t('filter.title')}
      </button>
      ${beside}
    </div>
    ${
      isOpen &&
      html`<div class="panel" id=${id}>
        <${NewFilter}
          columns=${columns}
          wanted=${wanted}
          onAdd=${(filter) => onChange([...filters, filter])}
        />
      </div>`
    }
    ${
      filters.length > 0 &&
      html`<ul class="row" aria-label=${t('filter.title')}>
        ${filters.map((filter) => {
          const words = wordsOf(filter)
          return html`<li>
            <button
              type="button"
              class="chip"
              aria-label=${`${t('remove')} ${words}`}
              onClick=${() => onChange(filters.filter((other) => other !== filter))}
            >
              ${words} <span aria-hidden="true">×</span>
            </button>
          </li>`
        })}
      </ul>`
    }`
}

const wordsOf = ({ column, type, comparison, value }) =>
  [
    column,
    t(`filter.${comparison}`),
    takesValue(comparison) && (type === 'boolean' ? t(value === 'true' ? 'yes' : 'no') : value),
  ]
    .filter(Boolean)
    .join(' ')

function NewFilter({ columns, wanted, onAdd }) {
  const [name, setName] = useState(columns[0]?.name)
  const [chosen, setChosen] = useState(null)
  const [value, setValue] = useState('')
  const choose = (next) => {
    setName(next)
    setValue('')
  }
  const form = useRef(null)
  useEffect(() => {
    if (wanted) choose(wanted.key)
    // Behind the column, where it was chosen already.
    form.current?.querySelectorAll('select, input')[wanted ? 1 : 0]?.focus()
  }, [wanted])
  const column = columns.find((one) => one.name === name) ?? columns[0]
  if (!column) return null
  const { type } = column
  const comparisons = comparisonsOf(type)
  const comparison = comparisons.includes(chosen) ? chosen : comparisons[0]
  const submit = (event) => {
    event.preventDefault()
    onAdd({
      column: column.name,
      type,
      comparison,
      value: type === 'boolean' && value === '' ? 'true' : value,
    })
    setValue('')
  }
  return html`<form class="form-line" ref=${form} onSubmit=${submit}>
    <${Choice}
      label=${t('column')}
      value=${column.name}
      choices=${columns.map((one) => [one.name, one.name])}
      onChange=${choose}
    />
    <${Choice}
      label=${t('filter.comparison')}
      value=${comparison}
      choices=${comparisons.map((one) => [one, t(`filter.${one}`)])}
      onChange=${setChosen}
    />
    ${takesValue(comparison) && html`<${Value} type=${type} value=${value} onChange=${setValue} />`}
    <button type="submit">${t('filter.add')}</button>
  </form>`
}

/** A control for a value of the type. */
function Value({ type, value, onChange }) {
  if (type === 'boolean') {
    return html`<${Choice}
      label=${t('filter.value')}
      value=${value || 'true'}
      choices=${[
        ['true', t('yes')],
        ['false', t('no')],
      ]}
      onChange=${onChange}
    />`
  }
  const kinds = { date: { type: 'date' }, number: { inputmode: 'decimal' } }
  return html`<${TextField}
    ...${kinds[type]}
    label=${t('filter.value')}
    required
    value=${value}
    onInput=${onChange}
  />`
}
