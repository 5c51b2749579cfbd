import { Head } from '../components/frame.js'
import { Problem } from '../components/problem.js'
import { State } from '../components/tag.js'
import { get } from '../core/api.js'
import { showBytes, showTime, t } from '../core/language.js'
import { useAnswer } from '../core/loading.js'
import { linkTo } from '../core/router.js'
import { html, useEffect, useRef } from '../core/ui.js'
import { Access } from './source/access.js'
import { SourceActions } from './source/actions.js'
import { Changes } from './source/changes.js'
import { Loads } from './source/loads.js'
import { Rejects } from './source/rejects.js'
import { Report } from './source/report.js'
import { Rows } from './source/rows.js'
import { Schedule } from './source/schedule.js'
import { Summary } from './source/summary.js'

const TABS = [
  ['rows', Rows],
  ['summary', Summary],
  ['rejects', Rejects],
  ['loads', Loads],
  ['changes', Changes],
  ['schedule', Schedule, (source) => source.source === 'api'],
  ['access', Access],
  ['report', Report],
]

export default function SourceScreen({ path: [, uuid, tab = 'rows'] }) {
  const {
    data: source,
    problem,
    askAgain,
  } = useAnswer((signal) => get(`/sources/${uuid}`, {}, signal), [uuid])
  const tabsBox = useRef(null)
  // On a phone not all of them are in sight.
  useEffect(() => {
    tabsBox.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [tab, source === null])
  if (problem && !source)
    return html`<div class="screen"><${Problem} problem=${problem} askAgain=${askAgain} /></div>`
  if (!source)
    return html`<div class="screen"><p class="soft" role="status">${t('loading')}</p></div>`
  const tabs = TABS.filter(([, , isFor]) => isFor?.(source) ?? true)
  const [, Tab] = tabs.find(([name]) => name === tab) ?? tabs[0]
  return html`<div class="screen">
    <${Head} title=${source.name}>
      <${SourceActions} source=${source} onChanged=${askAgain} />
    <//>
    <${Facts} source=${source} />
    ${tab !== 'changes' && html`<${WaitingLoad} source=${source} />`}
    <nav class="tabs" aria-label=${source.name} ref=${tabsBox}>
      ${tabs.map(
        ([name]) =>
          html`<a
            href=${linkTo('sources', uuid, name)}
            aria-current=${name === tab ? 'page' : undefined}
            >${t(`tab.${name}`)}${name === 'rejects' && source.rejectedCount > 0 ? ` (${source.rejectedCount})` : ''}</a
          >`,
      )}
    </nav>
    <${Tab} key=${`${uuid}/${source.loadedAt}`} source=${source} onChanged=${askAgain} />
  </div>`
}

/** A load that nobody has looked at yet, whoever began it. */
function WaitingLoad({ source }) {
  const { data } = useAnswer(
    (signal) => get(`/sources/${source.uuid}/loads`, { limit: 20 }, signal),
    [source],
  )
  const load = data?.items.find(({ state }) => state === 'staged')
  if (!load) return null
  return html`<div class="notice" role="status">
    <p class="row">
      <span class="grow">${t('changes.waiting', { number: load.number })}</span>
      <a class="button" href=${`${linkTo('sources', source.uuid, 'changes')}?to=${load.uuid}`}
        >${t('changes.look')}</a
      >
    </p>
  </div>`
}

function Facts({ source }) {
  const { tableName, status, sourceType, rowCount, rejectedCount, bytes, loadedAt } = source
  const origin = source.formTitle ?? source.cardTitle
  return html`<dl class="facts">
    <div>
      <dt>${t('state')}</dt>
      <dd><${State} of=${status} /></dd>
    </div>
    <div>
      <dt>${t('table')}</dt>
      <dd><code>${tableName}</code></dd>
    </div>
    <div>
      <dt>${t('kind')}</dt>
      <dd>${sourceType}${origin ? ` · ${origin}` : ''}</dd>
    </div>
    <div>
      <dt>${t('rowCount')}</dt>
      <dd>${t('rows', { count: rowCount })}</dd>
    </div>
    ${
      rejectedCount > 0 &&
      html`<div>
        <dt>${t('rejected')}</dt>
        <dd>${t('rejects', { count: rejectedCount })}</dd>
      </div>`
    }
    <div>
      <dt>${t('size')}</dt>
      <dd>
        ${showBytes(bytes.current)}${bytes.kept > 0 ? ` + ${showBytes(bytes.kept)} ${t('kept')}` : ''}
      </dd>
    </div>
    <div>
      <dt>${t('loadedAt')}</dt>
      <dd>${showTime(loadedAt)}</dd>
    </div>
  </dl>`
}
