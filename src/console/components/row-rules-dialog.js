import { t } from '../core/language.js'
import { html, useState } from '../core/ui.js'
import { FormDialog } from './dialog.js'
import { Check, Choice, TextField } from './field.js'
import { NewRule, RuleList } from './rule-list.js'

const COMPARISONS = ['<', '<=', '=', '!=']
const BLANK = { columns: [], comparison: '<=', equals: '', within: '', severity: 'error' }

/** What holds between the values of a row, or between rows, in plain words. */
export function RowRulesDialog({ shape, deed, onClose, onDone }) {
  const [rules, setRules] = useState(shape.rules)
  const [draft, setDraft] = useState({ ...BLANK, kind: 'compare' })
  const drafted = ruleOf(draft)
  const set = (change) => setDraft({ ...draft, ...change })
  const names = shape.columns.map(({ name }) => name)
  const add = () => {
    setRules([...rules, drafted])
    setDraft({ ...BLANK, kind: draft.kind })
  }
  const choices = [['', t('question.choose')], ...names.map((name) => [name, name])]
  const column = (at) =>
    html`<${Choice}
      label=${t('column')}
      value=${draft.columns[at] ?? ''}
      choices=${choices}
      onChange=${(name) => set({ columns: [draft.columns[0] ?? '', draft.columns[1] ?? ''].with(at, name) })}
    />`
  const parts = html`<${Choice}
      label=${t('rowRule.kind')}
      value=${draft.kind}
      choices=${['compare', 'unique', 'sum'].map((kind) => [kind, t(`rowRule.${kind}`)])}
      onChange=${(kind) => setDraft({ ...BLANK, kind })}
    />
    ${
      draft.kind === 'compare' &&
      html`${column(0)}
        <${Choice}
          label=${t('filter.comparison')}
          value=${draft.comparison}
          choices=${COMPARISONS.map((sign) => [sign, sign])}
          onChange=${(comparison) => set({ comparison })}
        />
        ${column(1)}`
    }
    ${
      draft.kind === 'sum' &&
      html`<${Choice}
          label=${t('rowRule.equals')}
          value=${draft.equals}
          choices=${choices}
          onChange=${(equals) => set({ equals })}
        />
        <${TextField}
          label=${t('rowRule.within')}
          type="number"
          min="0"
          step="any"
          value=${draft.within}
          onInput=${(within) => set({ within })}
        />`
    }`
  const among =
    draft.kind !== 'compare' &&
    html`<div class="row" role="group" aria-label=${t('columns')}>
      ${names.map(
        (name) =>
          html`<${Check}
            label=${name}
            checked=${draft.columns.includes(name)}
            onChange=${(isIn) =>
              set({
                columns: names.filter((one) => (one === name ? isIn : draft.columns.includes(one))),
              })}
          />`,
      )}
    </div>`
  const fields = () =>
    html`<${RuleList}
        label=${t('rowRules')}
        none=${t('rowRules.none')}
        rules=${rules}
        wordsOf=${wordsOfRowRule}
        onChange=${setRules}
      />
      <${NewRule}
        parts=${parts}
        more=${among}
        severity=${draft.severity}
        onSeverity=${(severity) => set({ severity })}
        isReady=${drafted !== null}
        onAdd=${add}
      />`
  return html`<${FormDialog}
    wide
    title=${t('rowRules')}
    fields=${fields}
    deed=${() => deed(drafted === null ? rules : [...rules, drafted])}
    onClose=${onClose}
    onDone=${onDone}
  />`
}

/** Null while what has to be given is not. */
function ruleOf({ kind, columns, comparison, equals, within, severity }) {
  const [one = '', other = ''] = columns
  const about = severity === 'warning' ? { severity } : {}
  if (kind === 'compare') {
    return one === '' || other === '' ? null : { compare: [one, comparison, other], ...about }
  }
  if (columns.length === 0) return null
  if (kind === 'unique') return { unique: columns, ...about }
  if (equals === '') return null
  return { sum: columns, equals, ...(within !== '' && { within: Number(within) }), ...about }
}

/** In a sentence. */
export function wordsOfRowRule({ unique, compare, sum, equals, within }) {
  if (compare) return compare.join(' ')
  if (unique) return t('rowRule.unique.words', { values: unique.join(' + ') })
  const words = t('rowRule.sum.words', { values: sum.join(' + '), equals })
  return within === undefined ? words : `${words} (± ${within})`
}
