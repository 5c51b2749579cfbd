import { isAbort, post } from '../core/api.js'
import { t } from '../core/language.js'
import { FORMATS, inputOf, kindsFor, ruleOf, wordsOfRule } from '../core/rules.js'
import { html, useEffect, useState } from '../core/ui.js'
import { FormDialog } from './dialog.js'
import { Choice, Lines, TextField } from './field.js'
import { useRested } from './list.js'
import { LookUp } from './look-up.js'
import { NewRule, RuleList } from './rule-list.js'

const BLANK = { text: '', severity: 'error', message: '' }

/**
 * What the values of a column have to be, in plain words. Where a source is known, each rule says how
 * many of the rows that are loaded would break it, before it is kept.
 */
export function RulesDialog({ column, sourceUuid, deed, onClose, onDone }) {
  const kinds = kindsFor(column.type)
  const [rules, setRules] = useState(column.rules)
  const [draft, setDraft] = useState({ ...BLANK, kind: kinds[0] })
  const drafted = ruleOf({ ...draft, type: column.type })
  const tried = useTried(sourceUuid, column, drafted === null ? rules : [...rules, drafted])
  const set = (name) => (value) => setDraft({ ...draft, [name]: value })
  const add = () => {
    setRules([...rules, drafted])
    setDraft({ ...BLANK, kind: draft.kind })
  }
  // What was written and not added is meant all the same.
  const all = drafted === null || draft.text === '' ? rules : [...rules, drafted]
  const fields = (errorAt) =>
    html`<${RuleList}
        label=${t('rules')}
        none=${t('rules.none')}
        rules=${rules}
        wordsOf=${wordsOfRule}
        aside=${(at) => html`<${Broken} of=${tried?.rules[at]} tried=${tried} />`}
        onChange=${setRules}
      />
      <${NewRule}
        parts=${html`<${Choice}
            label=${t('rule.kind')}
            value=${draft.kind}
            choices=${kinds.map((kind) => [kind, t(`rule.${kind}`)])}
            onChange=${(kind) => setDraft({ ...draft, kind, text: '' })}
          />
          <${Given}
            kind=${draft.kind}
            type=${column.type}
            value=${draft.text}
            onInput=${set('text')}
            error=${errorAt(`/rules/${rules.length}/${draft.kind}`)}
          />`}
        more=${html`<${TextField}
          label=${t('rule.message')}
          hint=${t('rule.message.hint')}
          value=${draft.message}
          onInput=${set('message')}
        />`}
        aside=${html`${drafted !== null && html`<${Broken} of=${tried?.rules[rules.length]} tried=${tried} />`}
        ${tried?.problem && html`<span class="field-error">${tried.problem}</span>`}`}
        severity=${draft.severity}
        onSeverity=${set('severity')}
        isReady=${drafted !== null}
        onAdd=${add}
      />`
  return html`<${FormDialog}
    wide
    title=${t('rules.of', { name: column.name })}
    fields=${fields}
    deed=${() => deed(all)}
    onClose=${onClose}
    onDone=${onDone}
  />`
}

/** Asked again when the writing rests; null: nobody knows yet. */
function useTried(sourceUuid, column, rules) {
  const [tried, setTried] = useState(null)
  const asked = useRested(JSON.stringify(rules))
  useEffect(() => {
    if (sourceUuid === undefined) return undefined
    const stop = new AbortController()
    const body = { column: column.name, rules: JSON.parse(asked) }
    post(`/sources/${sourceUuid}/rules/try`, body, { signal: stop.signal }).then(
      setTried,
      (error) => {
        if (isAbort(error)) return
        const [first] = error.problem?.errors ?? []
        setTried({ rules: [], problem: first?.message ?? error.message })
      },
    )
    return () => stop.abort()
  }, [sourceUuid, column.name, asked])
  return tried
}

function Broken({ of: found, tried }) {
  if (!found) return null
  const { count, examples } = found
  if (count === 0) return html`<span class="tag good">${t('rule.kept')}</span>`
  return html`<span class="tag bad" role="status">
      ${t(tried.isExact ? 'rule.broken' : 'rule.brokenOf', { count, rows: tried.countedRows })}
    </span>
    <span class="small soft"
      >${examples.slice(0, 3).map(({ value }) => html`<code>${value || '∅'}</code>${' '}`)}</span
    >`
}

function Given({ kind, type, value, onInput, error }) {
  const label = t('rule.given')
  switch (inputOf(kind)) {
    case 'lines':
      return html`<${Lines}
        label=${t('rule.values')}
        rows="4"
        value=${value}
        onInput=${onInput}
        error=${error}
      />`
    case 'scalar':
      return html`<${TextField}
        label=${label}
        type=${type === 'date' ? 'date' : 'text'}
        inputmode=${type === 'number' ? 'decimal' : undefined}
        value=${value}
        onInput=${onInput}
        error=${error}
      />`
    case 'count':
      return html`<${TextField}
        label=${label}
        type="number"
        min="0"
        value=${value}
        onInput=${onInput}
        error=${error}
      />`
    case 'format':
      return html`<${Choice}
        label=${label}
        value=${value}
        choices=${[['', t('question.choose')], ...FORMATS.map((name) => [name, t(`rule.format.${name}`)])]}
        onChange=${onInput}
      />`
    case 'pattern':
      return html`<${TextField}
        class="mono"
        label=${label}
        hint=${t('rule.matches.hint')}
        placeholder="^[A-Z]{2}\\d+$"
        value=${value}
        onInput=${onInput}
        error=${error}
      />`
    case 'source':
      return html`<${LookUp} value=${value} onInput=${onInput} />`
    default:
      return null
  }
}
