import { ListOf, StateFilter } from '../components/list.js'
import { Head } from '../components/frame.js'
import { State } from '../components/tag.js'
import { get } from '../core/api.js'
import { wordsOfKind } from '../core/formats.js'
import { showBytes, showNumber, showTime, t } from '../core/language.js'
import { linkTo } from '../core/router.js'
import { html, useState } from '../core/ui.js'

const STATES = ['READY', 'LOADING', 'FAILED']

export default function Sources() {
  const [status, setStatus] = useState('')
  const columns = [
    [t('name'), (source) => html`<a href=${linkTo('sources', source.uuid)}>${source.name}</a>`],
    [t('table'), ({ tableName }) => html`<code>${tableName}</code>`],
    [t('kind'), wordsOfKind],
    [t('state'), (source) => html`<${State} of=${source.status} />`],
    [t('rowCount'), ({ rowCount }) => showNumber(rowCount), 'number'],
    [
      t('rejected'),
      ({ rejectedCount }) =>
        rejectedCount === 0 ? '' : html`<span class="tag warn">${showNumber(rejectedCount)}</span>`,
      'number',
    ],
    [t('size'), ({ bytes }) => showBytes(bytes.current), 'number'],
    [t('loadedAt'), ({ loadedAt }) => showTime(loadedAt), 'time'],
  ]
  const empty = html`<p>${t('sources.empty')}</p>
    <a class="button primary" href=${linkTo('sources', 'new')}>${t('sources.new')}</a>`
  const tools = html`<${StateFilter} value=${status} states=${STATES} onChange=${setStatus} />`
  return html`<div class="screen">
    <${Head} title=${t('part.sources')} about=${t('sources.about')}>
      <a class="button primary" href=${linkTo('sources', 'new')}>${t('sources.new')}</a>
    <//>
    <${ListOf}
      label=${t('part.sources')}
      question=${(query, signal) => get('/sources', query, signal)}
      filters=${{ status }}
      search
      tools=${tools}
      columns=${columns}
      empty=${empty}
    />
  </div>`
}
