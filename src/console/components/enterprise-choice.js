import { get } from '../core/api.js'
import { t } from '../core/language.js'
import { useAnswer } from '../core/loading.js'
import { html } from '../core/ui.js'
import { Choice } from './field.js'

/** For a super-admin who belongs to none: which enterprise something is for. */
export function EnterpriseChoice({ value, onChange, error }) {
  const { data } = useAnswer((signal) => get('/folders/enterprises', { limit: 100 }, signal), [])
  const choices = (data?.items ?? []).map(({ id, name }) => [String(id), name])
  return html`<${Choice}
    label=${t('enterprise')}
    value=${value}
    error=${error}
    choices=${[['', t('choose')], ...choices]}
    onChange=${onChange}
    required
  />`
}
