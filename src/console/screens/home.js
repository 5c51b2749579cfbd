import { Answer } from '../components/answer.js'
import { Empty } from '../components/empty.js'
import { Head } from '../components/frame.js'
import { Icon } from '../components/icon.js'
import { State } from '../components/tag.js'
import { get } from '../core/api.js'
import { useElsewhere } from '../core/elsewhere.js'
import { showTime, t } from '../core/language.js'
import { useAnswer } from '../core/loading.js'
import { linkTo } from '../core/router.js'
import { html } from '../core/ui.js'

/** What needs a person, and what happened lately. */
export default function Home() {
  const answer = useAnswer((signal) => get('/home', {}, signal), [])
  useElsewhere(answer.askAgain)
  return html`<div class="screen">
    <${Head} title=${t('part.home')} about=${t('home.about')}>
      <a class="button primary" href=${linkTo('sources', 'new')}>${t('sources.new')}</a>
    <//>
    <${Answer} of=${answer} show=${(home) => html`<${Seen} home=${home} />`} />
  </div>`
}

function Seen({ home }) {
  if (home.recent.length === 0 && home.connections.total === 0) return html`<${First} />`
  const needs = NEEDS.filter(({ name }) => home[name].total > 0)
  return html`<div class="columns home">
    <section aria-labelledby="needs">
      <h2 id="needs">${t('home.needs')}</h2>
      ${
        needs.length === 0
          ? html`<${Empty} of="good"><p>${t('home.nothing')}</p><//>`
          : needs.map((need) => html`<${Need} ...${need} found=${home[need.name]} />`)
      }
    </section>
    <section aria-labelledby="recent">
      <h2 id="recent">${t('home.recent')}</h2>
      <${Recent} loads=${home.recent} />
    </section>
  </div>`
}

/** Each kind of thing that needs a person: one that is to come has its line here. */
const NEEDS = [
  {
    name: 'staged',
    icon: 'waits',
    linkOf: ({ source, load }) => linkTo('sources', source.uuid, 'changes', { to: load.uuid }),
    wordsOf: ({ load: { number, questions, rejected } }) =>
      [
        t('home.staged.load', { number }),
        questions > 0 && t('home.questions', { count: questions }),
        rejected > 0 && t('rejects', { count: rejected }),
      ]
        .filter(Boolean)
        .join(' · '),
  },
  {
    name: 'rejects',
    icon: 'warn',
    linkOf: ({ source }) => linkTo('sources', source.uuid, 'rejects'),
    wordsOf: ({ rejectedCount }) => t('rejects', { count: rejectedCount }),
  },
  {
    name: 'schedules',
    icon: 'warn',
    linkOf: ({ source }) => linkTo('sources', source.uuid, 'schedule'),
    wordsOf: ({ failures, nextRunAt }) =>
      `${t('home.failures', { count: failures })} · ${t('home.next', { time: showTime(nextRunAt) })}`,
  },
  {
    name: 'connections',
    icon: 'connections',
    linkOf: ({ name }) => linkTo('connections', { search: name }),
    wordsOf: ({ message }) => message,
  },
  {
    name: 'collections',
    icon: 'collections',
    linkOf: ({ uuid }) => linkTo('collections', uuid),
    wordsOf: ({ received, late }) =>
      [
        received > 0 && t('home.received', { count: received }),
        late > 0 && t('home.late', { count: late }),
      ]
        .filter(Boolean)
        .join(' · '),
  },
]

function Need({ name, icon, linkOf, wordsOf, found: { total, items } }) {
  return html`<section class="panel">
    <h3>
      <span class="place-mark"><${Icon} of=${icon} /></span>${t(`home.${name}`, { count: total })}
    </h3>
    <ul class="things">
      ${items.map(
        (item) =>
          html`<li>
            <a href=${linkOf(item)}>${(item.source ?? item).name}</a>
            <span class="small soft">${wordsOf(item)}</span>
          </li>`,
      )}
    </ul>
    ${items.length < total && html`<p class="small soft">${t('home.more', { count: total - items.length })}</p>`}
  </section>`
}

const Recent = ({ loads }) =>
  html`<ul class="panel things">
    ${loads.map(
      ({ source, load: { number, kind, state, rows, by, at } }) =>
        html`<li>
          <span class="row">
            <a class="grow" href=${linkTo('sources', source.uuid)}>${source.name}</a>
            <${State} of=${state} />
          </span>
          <span class="small soft"
            >${[
              t('home.load', { kind: t(`loadKind.${kind}`), number }),
              rows !== null && t('rows', { count: rows }),
              by,
              showTime(at),
            ]
              .filter(Boolean)
              .join(' · ')}</span
          >
        </li>`,
    )}
  </ul>`

/** Nothing is there yet: what one does first. */
const First = () =>
  html`<section class="form" aria-labelledby="first">
    <h2 id="first">${t('home.first')}</h2>
    <ol class="columns steps">
      ${FIRST.map(
        ([name, place, ...path]) =>
          html`<li class="panel">
            <span class="place-mark"><${Icon} of=${place} /></span>
            <a href=${linkTo(...path)}>${t(`home.first.${name}`)}</a>
            <span class="soft">${t(`home.first.${name}.about`)}</span>
          </li>`,
      )}
    </ol>
  </section>`

const FIRST = [
  ['file', 'sheet', 'sources', 'new'],
  ['form', 'connections', 'connections'],
  ['document', 'documents', 'documents'],
]
