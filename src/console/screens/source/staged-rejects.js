import { ListOf } from '../../components/list.js'
import { get } from '../../core/api.js'
import { showNumber, t } from '../../core/language.js'
import { html } from '../../core/ui.js'

/** What a load that waits would leave out, before anybody publishes it. */
export function StagedRejects({ source, load }) {
  const rejected = load?.state === 'staged' ? (load.counts?.rejected ?? 0) : 0
  if (rejected === 0) return null
  const columns = [
    [t('line'), ({ line, row }) => showNumber(line ?? row), 'number'],
    [t('column'), ({ column }) => column ?? ''],
    [t('filter.value'), ({ value }) => value !== undefined && html`<code>${value}</code>`],
    [t('rejects.reason'), ({ message }) => message, 'long'],
  ]
  return html`<details class="notice warn">
    <summary>${t('changes.rejects', { count: rejected })}</summary>
    <${ListOf}
      label=${t('tab.rejects')}
      name="rejects"
      limit=${10}
      question=${(query, signal) =>
        get(`/sources/${source.uuid}/rejects`, { ...query, load: load.uuid }, signal)}
      columns=${columns}
    />
  </details>`
}
