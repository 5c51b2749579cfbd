import { Head } from '../components/frame.js'
import { Icon } from '../components/icon.js'
import { Filter, ListOf, useFilter } from '../components/list.js'
import { RowButton } from '../components/row-button.js'
import { tellProblem } from '../components/toast.js'
import { get } from '../core/api.js'
import { download } from '../core/download.js'
import { showTime, t } from '../core/language.js'
import { linkTo, lookAt, route } from '../core/router.js'
import { isSuperAdmin } from '../core/session.js'
import { html } from '../core/ui.js'

/** What can be done, by the kind of thing that it is done to, with the icon of its place. */
const ACTIONS = {
  source: [
    'source.create',
    'source.change',
    'source.change-shape',
    'source.reload',
    'source.schedule',
    'source.rejects',
    'source.publish',
    'source.rollback',
    'source.remove',
    'load.remove',
    'schedule.set',
    'schedule.remove',
  ],
  collection: [
    'collection.create',
    'collection.change',
    'collection.add-senders',
    'collection.add-periods',
    'collection.renew-link',
    'collection.remind',
    'collection.approve',
    'collection.return',
    'collection.remove',
    'sender.remove',
    'delivery.send',
  ],
  workflow: ['workflow.create', 'workflow.configure', 'workflow.launch'],
  shape: ['shape.create', 'shape.change', 'shape.remove'],
  connection: ['connection.create', 'connection.change', 'connection.remove'],
  job: ['job.cancel'],
  document: ['document.create', 'document.remove', 'upload.begin', 'upload.abort'],
  folder: [
    'folder.create',
    'folder.rename',
    'folder.remove',
    'folder.restore',
    'folder.move',
    'folder.delete-root',
  ],
  enterprise: ['enterprise.create'],
  user: [
    'session.begin',
    'password.change',
    'token.create',
    'token.remove',
    'user.create',
    'user.change',
    'sql-user.create',
    'sql-user.drop',
  ],
  service: ['keys.rotate', 'seed.fill', 'storage.repair', 'cluster.distribute'],
}
const ALL = Object.values(ACTIONS).flat()
const kindOf = (action) => Object.keys(ACTIONS).find((kind) => ACTIONS[kind].includes(action))

/** Things with a page of their own, and where it is. */
const PAGES = {
  source: 'sources',
  collection: 'collections',
  workflow: 'workflows',
  shape: 'shapes',
  folder: 'folders',
}

const iconOf = (kind) => (kind === 'service' ? 'jobs' : `${kind}s`)

/** Who did what to which thing, and when. */
export default function Audit() {
  const [action, setAction] = useFilter('action', ALL)
  const { from, until, thing, actor, name } = route.value.query
  const filters = {
    action,
    thing,
    actor,
    from: midnightOf(from),
    // The last day counts, too.
    until: midnightOf(until, 1),
  }
  const columns = [
    [t('audit.what'), (entry) => html`<${What} of=${entry} />`],
    [t('audit.thing'), (entry) => html`<${Thing} of=${entry} />`],
    [t('audit.who'), (entry) => html`<${Who} of=${entry} />`],
    [t('audit.when'), ({ createdAt }) => showTime(createdAt), 'time'],
    [
      '',
      ({ thing: { uuid, name: called } }) =>
        uuid &&
        uuid !== thing &&
        html`<${RowButton}
          kind="plain"
          words=${t('audit.onlyThis')}
          of=${called ?? ''}
          onClick=${() => only({ thing: uuid, name: called ?? '' })}
        />`,
    ],
  ]
  const tools = html`<${Filter}
      label=${t('audit.what')}
      value=${action}
      choices=${[['', t('audit.allActions')], ...ALL.map((one) => [one, t(`audit.action.${one}`)])]}
      onChange=${setAction}
    />
    <${Day}
      label=${t('audit.from')}
      value=${from}
      onChange=${(day) => lookAt({ from: day, page: '' })}
    />
    <${Day}
      label=${t('audit.until')}
      value=${until}
      onChange=${(day) => lookAt({ until: day, page: '' })}
    />
    ${
      (thing || actor) &&
      html`<button
        type="button"
        class="chip"
        aria-label=${t('audit.without', { name: name || t('audit.thing') })}
        onClick=${() => only({})}
      >
        ${name || t('audit.thing')}<${Icon} of="close" />
      </button>`
    }`
  const save = () => download('/audit', { ...filters, format: 'csv' }, 'audit.csv')
  return html`<div class="screen">
    <${Head} title=${t('part.audit')} about=${t('audit.about')} />
    <${ListOf}
      label=${t('part.audit')}
      question=${(query, signal) => get('/audit', query, signal)}
      filters=${filters}
      tools=${tools}
      actions=${html`<button type="button" onClick=${() => void save().catch(tellProblem)}>
        ${t('audit.csv')}
      </button>`}
      columns=${columns}
      empty=${t('audit.empty')}
    />
  </div>`
}

/** Where a day begins that is written as in the address, or one so many days later. */
function midnightOf(day = '', after = 0) {
  const [year, month, date] = day.split('-').map(Number)
  const instant = new Date(year, month - 1, date + after)
  return Number.isNaN(instant.getTime()) ? undefined : instant.toISOString()
}

/** What concerns one thing, or one person; `name` stands in the address for whoever reads it. */
const only = ({ thing = '', actor = '', name = '' }) => lookAt({ thing, actor, name, page: '' })

const Day = ({ label, value = '', onChange }) =>
  html`<label class="row small soft"
    >${label}
    <input type="date" value=${value} onChange=${(event) => onChange(event.currentTarget.value)} />
  </label>`

const What = ({ of: { action, outcome, fields } }) =>
  html`<span class="kind"
      ><${Icon} of=${iconOf(kindOf(action))} /> ${t(`audit.action.${action}`)}</span
    >${
      outcome === 'queued' && html`<span class="below soft">${t('audit.queued')}</span>`
    }${fields.length > 0 && html`<code class="below soft">${fields.join(', ')}</code>`}`

function Thing({ of: { action, thing, enterprise } }) {
  const name = thing.name ?? thing.uuid ?? ''
  const page = !action.endsWith('.remove') && thing.uuid && PAGES[thing.kind]
  return html`${page ? html`<a href=${linkTo(page, thing.uuid)}>${name}</a>` : name}${
    isSuperAdmin() && enterprise && html`<span class="below soft">${enterprise.name}</span>`
  }`
}

function Who({ of: { actor, via, address } }) {
  const how = [t(`audit.via.${via}`), address].filter(Boolean).join(' · ')
  return html`${
      actor?.uuid
        ? html`<button
            type="button"
            class="plain"
            aria-label=${`${t('audit.onlyThis')} ${actor.email}`}
            onClick=${() => only({ actor: actor.uuid, name: actor.email })}
          >
            ${actor.email}
          </button>`
        : (actor?.email ?? t('product'))
    }<span class="below soft">${how}</span>`
}
