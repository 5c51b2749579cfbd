import { Head } from '../components/frame.js'
import { ListOf } from '../components/list.js'
import { del, get } from '../core/api.js'
import { showNumber, showTime, t } from '../core/language.js'
import { goTo, linkTo } from '../core/router.js'
import { html, useState } from '../core/ui.js'
import { CollectionDialog } from './collection/collection-dialog.js'
import { NewLinks } from './collection/new-links.js'

/** Tables that many senders fill. */
export default function Collections() {
  const [isAdding, setAdding] = useState(false)
  const [made, setMade] = useState(null)
  const columns = [
    [
      t('name'),
      ({ uuid, name, sourceName }) =>
        html`<a href=${linkTo('collections', uuid)}>${name}</a
          ><span class="below soft">${sourceName}</span>`,
      undefined,
      'name',
    ],
    [t('collection.senders'), ({ senderCount }) => showNumber(senderCount), 'number'],
    [
      t('collection.arrived'),
      (collection) => html`<${Arrived} of=${collection.slots} />`,
      'number',
    ],
    [
      t('collection.waits'),
      ({ slots }) =>
        slots.received === 0
          ? ''
          : html`<span class="tag accent">${showNumber(slots.received)}</span>`,
      'number',
    ],
    [t('deliver.late'), ({ slots }) => (slots.late === 0 ? '' : showNumber(slots.late)), 'number'],
    [t('collection.deadline'), ({ deadline }) => showTime(deadline), 'time'],
  ]
  const add = html`<button type="button" class="primary" onClick=${() => setAdding(true)}>
    ${t('collection.new')}
  </button>`
  return html`<div class="screen">
    <${Head} title=${t('part.collections')} about=${t('collections.about')}>${add}<//>
    <${ListOf}
      label=${t('part.collections')}
      question=${(query, signal) => get('/collections', query, signal)}
      search
      columns=${columns}
      several=${{ deeds: deedsOfSeveral(), nameOf: ({ name }) => name }}
      empty=${t('collections.empty')}
      first=${add}
    />
    ${
      isAdding &&
      html`<${CollectionDialog}
        onClose=${() => setAdding(false)}
        onDone=${(collection) => {
          setAdding(false)
          setMade(collection)
        }}
      />`
    }
    ${made && html`<${NewLinks} links=${made.links} name=${made.name} onClose=${() => goTo('collections', made.uuid)} />`}
  </div>`
}

const deedsOfSeveral = () => [
  {
    words: t('delete'),
    kind: 'danger',
    ask: () => t('collection.delete.text'),
    each: ({ uuid }) => del(`/collections/${uuid}`),
  },
]

/** How many slots hold a file that counts, as a bar too. */
export function Arrived({ of: { awaited, refused, received, accepted } }) {
  const all = awaited + refused + received + accepted
  if (all === 0) return ''
  return html`<span class="quality arrived">
    <span>${t('collection.of', { count: accepted, all })}</span>
    <meter aria-hidden="true" min="0" max=${all} value=${accepted}></meter>
  </span>`
}
