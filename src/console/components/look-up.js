import { get } from '../core/api.js'
import { t } from '../core/language.js'
import { useAnswer } from '../core/loading.js'
import { html } from '../core/ui.js'
import { Choice } from './field.js'

/** A column of another source, whose values are the ones that count; as JSON. */
export function LookUp({ value, onInput }) {
  const { data } = useAnswer((signal) => get('/sources', { limit: 100 }, signal), [])
  const { sourceUuid = '', column = '' } = value === '' ? {} : JSON.parse(value)
  const sources = data?.items ?? []
  const columns = sources.find(({ uuid }) => uuid === sourceUuid)?.columns ?? []
  const say = (given) => onInput(JSON.stringify(given))
  return html`<${Choice}
      label=${t('rule.source')}
      value=${sourceUuid}
      choices=${[['', t('question.choose')], ...sources.map(({ uuid, name }) => [uuid, name])]}
      onChange=${(chosen) => {
        const [first] = sources.find(({ uuid }) => uuid === chosen)?.columns ?? []
        if (first) say({ sourceUuid: chosen, column: first.name })
        else onInput('')
      }}
    />
    ${
      columns.length > 0 &&
      html`<${Choice}
        label=${t('column')}
        value=${column}
        choices=${columns.map(({ name }) => [name, name])}
        onChange=${(name) => say({ sourceUuid, column: name })}
      />`
    }`
}
