import { get } from '../core/api.js'
import { t } from '../core/language.js'
import { useAnswer } from '../core/loading.js'
import { html, useState } from '../core/ui.js'
import { Choice, TextField } from './field.js'
import { useRested } from './list.js'

const MOST_LISTED = 100

/** For a super-admin: which enterprise something is for. Where there are many, they are searched. */
export function EnterpriseChoice({ value, isOptional = false, onChange, error }) {
  const [typed, setTyped] = useState('')
  const search = useRested(typed)
  const { data } = useAnswer(
    (signal) => get('/enterprises', { limit: MOST_LISTED, search }, signal),
    [search],
  )
  const choices = (data?.items ?? []).map(({ id, name }) => [String(id), name])
  const isSearched = search !== '' || data?.total > MOST_LISTED
  const seek = (text) => {
    setTyped(text)
    // What was chosen may not be among those that are found.
    onChange('')
  }
  return html`${isSearched && html`<${TextField} label=${t('searchEnterprise')} type="search" value=${typed} onInput=${seek} />`}
    <${Choice}
      label=${t('enterprise')}
      value=${value}
      error=${error}
      choices=${[['', t(isOptional ? 'user.noEnterprise' : 'choose')], ...choices]}
      onChange=${onChange}
      required=${!isOptional}
    />`
}
