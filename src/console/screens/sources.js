import { ListOf, StateFilter, useFilter } from '../components/list.js'
import { Head } from '../components/frame.js'
import { Icon } from '../components/icon.js'
import { Kind, Quality } from '../components/kind.js'
import { State } from '../components/tag.js'
import { del, get } from '../core/api.js'
import { runJob } from '../core/jobs.js'
import { showBytes, showNumber, showTime, t } from '../core/language.js'
import { linkTo } from '../core/router.js'
import { isSuperAdmin } from '../core/session.js'
import { html } from '../core/ui.js'

const STATES = ['READY', 'LOADING', 'FAILED']

export default function Sources() {
  const [status, setStatus] = useFilter('status', STATES)
  const columns = [
    [
      t('name'),
      ({ uuid, name, tableName }) =>
        html`<a href=${linkTo('sources', uuid)}>${name}</a
          ><code class="below soft">${tableName}</code>`,
      undefined,
      'name',
    ],
    ...(isSuperAdmin() ? [[t('enterprise'), ({ enterprise }) => enterprise?.name ?? '']] : []),
    [t('kind'), (source) => html`<${Kind} of=${source} />`],
    [t('state'), (source) => html`<${States} of=${source} />`],
    [t('rowCount'), ({ rowCount }) => showNumber(rowCount), 'number'],
    [
      t('rejected'),
      (source) =>
        html`<span class="beside"
          >${source.rejectedCount > 0 && html`<a class="tag warn" href=${linkTo('sources', source.uuid, 'rejects')}>${showNumber(source.rejectedCount)}</a>`}
          <${Quality} of=${source}
        /></span>`,
      'number',
    ],
    [t('size'), ({ bytes }) => showBytes(bytes.current), 'number'],
    [t('loadedAt'), ({ loadedAt }) => showTime(loadedAt), 'time'],
  ]
  const add = html`<a class="button primary" href=${linkTo('sources', 'new')}
    >${t('sources.new')}</a
  >`
  const tools = html`<${StateFilter} value=${status} states=${STATES} onChange=${setStatus} />`
  return html`<div class="screen">
    <${Head} title=${t('part.sources')} about=${t('sources.about')}>${add}<//>
    <${ListOf}
      label=${t('part.sources')}
      question=${(query, signal) => get('/sources', query, signal)}
      filters=${{ status }}
      search
      tools=${tools}
      columns=${columns}
      several=${{ deeds: deedsOfSeveral(), nameOf: ({ name }) => name }}
      empty=${t('sources.empty')}
      first=${add}
    />
  </div>`
}

const deedsOfSeveral = () => [
  {
    words: t('reload'),
    isFor: ({ source }) => source === 'api',
    ask: () => t('sources.reloadSeveral'),
    each: ({ uuid }) => runJob(`/sources/${uuid}/reload`, { publish: false }),
  },
  {
    words: t('delete'),
    kind: 'danger',
    isForGood: true,
    ask: () => t('sources.deleteSeveral'),
    each: ({ uuid }) => del(`/sources/${uuid}`),
  },
]

/** What it shows, and what waits to be shown. */
const States = ({ of: { uuid, status, stagedLoads } }) =>
  html`<${State} of=${status} /> ${
      stagedLoads > 0 &&
      html`<a class="tag accent" href=${linkTo('sources', uuid, 'changes')}
        ><${Icon} of="waits" />${t('sources.staged', { count: stagedLoads })}</a
      >`
    }`
