import { Answer } from '../components/answer.js'
import { Head, NoSuchPage } from '../components/frame.js'
import { State } from '../components/tag.js'
import { Way } from '../components/way.js'
import { get } from '../core/api.js'
import { wordsOfKind } from '../core/formats.js'
import { showBytes, showNumber, showTime, t } from '../core/language.js'
import { useAnswer } from '../core/loading.js'
import { linkTo } from '../core/router.js'
import { html, useEffect, useRef } from '../core/ui.js'
import { Access } from './source/access.js'
import { SourceActions } from './source/actions.js'
import { Changes } from './source/changes.js'
import { Expects } from './source/expects.js'
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
  ['shape', Expects],
  ['schedule', Schedule, (source) => source.source === 'api'],
  ['access', Access],
  ['report', Report],
]

export default function SourceScreen({ path: [, uuid, tab] }) {
  const answer = useAnswer((signal) => get(`/sources/${uuid}`, {}, signal), [uuid])
  return html`<div class="screen">
    <${Way} part="sources" />
    <${Answer}
      of=${answer}
      thing=${uuid}
      show=${(source) => html`<${Source} source=${source} tab=${tab} onChanged=${answer.askAgain} />`}
    />
  </div>`
}

function Source({ source, tab = TABS[0][0], onChanged }) {
  const { uuid, name, rejectedCount, loadedAt } = source
  const tabsBox = useRef(null)
  // On a phone not all of them are in sight.
  useEffect(() => {
    tabsBox.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [tab])
  const tabs = TABS.filter(([, , isFor]) => isFor?.(source) ?? true)
  const [, Tab = null] = tabs.find(([one]) => one === tab) ?? []
  const wordsOf = (one) =>
    one === 'rejects' && rejectedCount > 0
      ? `${t('tab.rejects')} (${showNumber(rejectedCount)})`
      : t(`tab.${one}`)
  if (!Tab) return html`<${NoSuchPage} />`
  return html`<${Head}
      title=${name}
      mark=${html`<${State} of=${source.status} />`}
      facts=${factsOf(source)}
    >
      <${SourceActions} source=${source} onChanged=${onChanged} />
    <//>
    ${tab !== 'changes' && html`<${WaitingLoad} source=${source} />`}
    <nav class="tabs" aria-label=${name} ref=${tabsBox}>
      ${tabs.map(
        ([one]) =>
          html`<a
            href=${linkTo('sources', uuid, one)}
            aria-current=${one === tab ? 'page' : undefined}
            >${wordsOf(one)}</a
          >`,
      )}
    </nav>
    <${Tab} key=${`${uuid}/${loadedAt}`} source=${source} onChanged=${onChanged} />`
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

function factsOf(source) {
  const { tableName, rowCount, rejectedCount, bytes, loadedAt } = source
  const origin = source.formTitle ?? source.cardTitle
  return [
    [t('table'), html`<code>${tableName}</code>`],
    [t('kind'), [wordsOfKind(source), origin].filter(Boolean).join(' · ')],
    [t('rowCount'), showNumber(rowCount)],
    rejectedCount > 0 && [t('rejected'), showNumber(rejectedCount)],
    [
      t('size'),
      `${showBytes(bytes.current)}${bytes.kept > 0 ? ` + ${showBytes(bytes.kept)} ${t('kept')}` : ''}`,
    ],
    [t('loadedAt'), showTime(loadedAt)],
  ]
}
