import { Answer } from '../components/answer.js'
import { Confirm, FormDialog } from '../components/dialog.js'
import { Lines } from '../components/field.js'
import { Head } from '../components/frame.js'
import { ListOf, StateFilter, useFilter } from '../components/list.js'
import { More } from '../components/row-deeds.js'
import { State } from '../components/tag.js'
import { tell } from '../components/toast.js'
import { Way } from '../components/way.js'
import { del, get, post } from '../core/api.js'
import { showNumber, showTime, t } from '../core/language.js'
import { useAnswer } from '../core/loading.js'
import { goTo, linkTo } from '../core/router.js'
import { html, useState } from '../core/ui.js'
import { CollectionDialog } from './collection/collection-dialog.js'
import { NewLinks } from './collection/new-links.js'
import { readLines, readSenders } from './collection/read-senders.js'
import { SlotDialog } from './collection/slot-dialog.js'
import { Arrived } from './collections.js'

const STATES = ['awaited', 'refused', 'received', 'accepted']
const MOST_SLOTS = 100

/** Who has sent, who is late, what waits: senders by periods. */
export default function CollectionScreen({ path: [, uuid] }) {
  const answer = useAnswer((signal) => get(`/collections/${uuid}`, {}, signal), [uuid])
  return html`<div class="screen">
    <${Way} part="collections" />
    <${Answer}
      of=${answer}
      thing=${uuid}
      show=${(collection) => html`<${Board} collection=${collection} onChanged=${answer.askAgain} />`}
    />
  </div>`
}

function Board({ collection, onChanged }) {
  const { uuid, name, periods, updatedAt } = collection
  const path = `/collections/${uuid}`
  const [state, setState] = useFilter('state', STATES)
  const [asked, setAsked] = useState(null)
  const [version, setVersion] = useState(0)
  const close = () => setAsked(null)
  const changed = () => {
    setVersion((before) => before + 1)
    onChanged()
  }
  const labels = periods.length === 0 ? [null] : periods
  const columns = [
    [
      t('collection.sender'),
      ({ sender }) =>
        html`${sender.name}<span class="below soft small">${sender.key} · ${sender.email}</span>`,
    ],
    ...labels.map((period) => [
      period ?? t('state'),
      ({ slots }) => {
        const slot = slots.get(period)
        return slot ? html`<${SlotButton} slot=${slot} onClick=${() => setAsked({ slot })} />` : ''
      },
    ]),
  ]
  return html`<${Head} title=${name} facts=${factsOf(collection)}>
      <button type="button" onClick=${() => setAsked({ senders: true })}>
        ${t('collection.addSenders')}
      </button>
      <button type="button" onClick=${() => setAsked({ periods: true })}>
        ${t('collection.addPeriods')}
      </button>
      <${More}
        of=${name}
        deeds=${[
          [t('change'), () => setAsked({ change: true })],
          [t('delete'), () => setAsked({ removed: true }), 'danger'],
        ]}
      />
    <//>
    <${ListOf}
      label=${name}
      place="users"
      question=${async (query, signal) => {
        const page = await get(`${path}/slots`, query, signal)
        return { ...page, items: bySender(page.items) }
      }}
      limit=${Math.max(1, Math.floor(MOST_SLOTS / labels.length)) * Math.min(labels.length, MOST_SLOTS)}
      filters=${{ state }}
      search
      tools=${html`<${StateFilter} value=${state} states=${STATES} onChange=${setState} />`}
      columns=${columns}
      several=${{ deeds: deedsOfSeveral(path), nameOf: ({ sender }) => sender.name, onDone: onChanged }}
      version=${`${version}/${updatedAt}`}
      empty=${t('collection.noSenders')}
    />
    ${
      asked?.slot &&
      html`<${SlotDialog}
        collection=${collection}
        slot=${asked.slot}
        onClose=${close}
        onChanged=${(said) => {
          close()
          if (said) tell(said)
          changed()
        }}
      />`
    }
    ${
      asked?.change &&
      html`<${CollectionDialog}
        collection=${collection}
        onClose=${close}
        onDone=${() => {
          close()
          tell(t('saved'))
          changed()
        }}
      />`
    }
    ${
      asked?.senders &&
      html`<${Grow}
        title=${t('collection.addSenders')}
        hint=${t('collection.senders.hint')}
        deed=${(text) => post(`${path}/senders`, { senders: readSenders(text) })}
        onClose=${close}
        onDone=${({ links }) => {
          setAsked({ links })
          changed()
        }}
      />`
    }
    ${
      asked?.periods &&
      html`<${Grow}
        title=${t('collection.addPeriods')}
        hint=${t('collection.periods.hint')}
        deed=${(text) => post(`${path}/periods`, { periods: readLines(text) })}
        onClose=${close}
        onDone=${() => {
          close()
          changed()
        }}
      />`
    }
    ${asked?.links && html`<${NewLinks} links=${asked.links} name=${name} onClose=${close} />`}
    ${
      asked?.removed &&
      html`<${Confirm}
        title=${t('collection.delete')}
        text=${t('collection.delete.text')}
        label=${t('delete')}
        deed=${() => del(path)}
        onClose=${close}
        onDone=${() => goTo('collections')}
      />`
    }`
}

/** Of a sender, among those in sight. */
const slotsIn = ({ slots }, states) =>
  [...slots.values()].filter(({ state }) => states.includes(state))

const ARRIVED = ['received']
const MISSING = ['awaited', 'refused']

const deedsOfSeveral = (path) => [
  {
    words: t('collection.approve'),
    isFor: (sender) => slotsIn(sender, ARRIVED).length > 0,
    each: async (sender) => {
      for (const { uuid, loadUuid } of slotsIn(sender, ARRIVED))
        await post(`${path}/slots/${uuid}/approve`, { loadUuid })
    },
  },
  {
    words: t('collection.remindNow'),
    isFor: (sender) => slotsIn(sender, MISSING).length > 0,
    // One message to each is enough.
    each: (sender) => post(`${path}/slots/${slotsIn(sender, MISSING)[0].uuid}/remind`),
  },
]

const SlotButton = ({ slot: { state, isLate, rows, sender, period, deliveries }, onClick }) =>
  html`<button type="button" class="plain slot-button" onClick=${onClick}>
    <span class="hidden-text">${[sender.name, period].filter(Boolean).join(', ')}</span>
    <${State} of=${state} />
    ${isLate && html`<span class="tag warn">${t('deliver.late')}</span>`}
    ${deliveries[0]?.state === 'blocked' && html`<span class="tag warn">${t('delivery.blocked')}</span>`}
    ${rows !== null && html`<span class="small soft">${t('rows', { count: rows })}</span>`}
  </button>`

function bySender(slots) {
  const senders = new Map()
  for (const slot of slots) {
    const { uuid } = slot.sender
    if (!senders.has(uuid)) senders.set(uuid, { uuid, sender: slot.sender, slots: new Map() })
    senders.get(uuid).slots.set(slot.period, slot)
  }
  return [...senders.values()]
}

function factsOf({ sourceUuid, sourceName, slots, deadline, senderCount }) {
  return [
    [t('collection.source'), html`<a href=${linkTo('sources', sourceUuid)}>${sourceName}</a>`],
    [t('collection.senders'), showNumber(senderCount)],
    [t('collection.arrived'), html`<${Arrived} of=${slots} />`],
    slots.received > 0 && [t('collection.waits'), showNumber(slots.received)],
    slots.late > 0 && [t('deliver.late'), showNumber(slots.late)],
    deadline && [t('collection.deadline'), showTime(deadline)],
  ]
}

/** More of something, a line each. */
function Grow({ title, hint, deed, onClose, onDone }) {
  const [text, setText] = useState('')
  const fields = () =>
    html`<${Lines} label=${title} hint=${hint} rows="6" value=${text} onInput=${setText} />`
  return html`<${FormDialog}
    title=${title}
    isReady=${text.trim() !== ''}
    fields=${fields}
    deed=${() => deed(text)}
    onClose=${onClose}
    onDone=${onDone}
  />`
}
