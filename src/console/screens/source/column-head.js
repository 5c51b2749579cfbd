import { Icon } from '../../components/icon.js'
import { SORT_MARKS } from '../../components/list.js'
import { Menu } from '../../components/menu.js'
import { tell } from '../../components/toast.js'
import { get } from '../../core/api.js'
import { copyText } from '../../core/clipboard.js'
import { showPercent, t } from '../../core/language.js'
import { canBeSought } from '../../core/row-filters.js'
import { html, useEffect, useState } from '../../core/ui.js'
import { showValue } from '../../core/values.js'

const MOST_VALUES = 8
/** A value that is rarer picks hardly anything out. */
const LEAST_SHARE = 0.02

/** Once up, once down, and back to the order of the source; beside it a menu of what else can be done. */
export function ColumnHead({ column, onSort, onMenu }) {
  const next = () => {
    if (column.sort === 'descending') onSort(null)
    else onSort({ name: column.key, order: column.sort === 'ascending' ? 'desc' : 'asc' })
  }
  const openBelow = (event) => {
    const { left, bottom } = event.currentTarget
      .closest('[role=columnheader]')
      .getBoundingClientRect()
    onMenu({ column, at: { x: left, y: bottom } })
  }
  return html`<div
    class="sort-head"
    onContextMenu=${(event) => {
      event.preventDefault()
      openBelow(event)
    }}
  >
    <button
      type="button"
      class="plain"
      onClick=${next}
      title=${`${column.label} · ${t(`type.${column.type}`)} · ${column.column}`}
    >
      <strong>${column.label}</strong>${SORT_MARKS[column.sort]}
    </button>
    <button
      type="button"
      class="plain"
      aria-haspopup="menu"
      aria-label=${t('deeds', { name: column.label })}
      onClick=${openBelow}
    >
      <${Icon} of="more" />
    </button>
  </div>`
}

/** What can be done with a column of rows; `deeds` do it. */
export function ColumnMenu({ source, column, at, deeds, onClose }) {
  const [frequent, setFrequent] = useState([])
  useEffect(() => {
    const stop = new AbortController()
    // The menu is useful without, and a value can be written by hand.
    void frequentOf(source, column, stop.signal).then(setFrequent, () => undefined)
    return () => stop.abort()
  }, [source.uuid, column.key])
  const copyName = async () => {
    if (await copyText(column.column)) tell(t('copied'))
  }
  const items = [
    [t('column.up'), () => deeds.sortBy({ name: column.key, order: 'asc' })],
    [t('column.down'), () => deeds.sortBy({ name: column.key, order: 'desc' })],
    column.sort && [t('column.unsorted'), () => deeds.sortBy(null)],
    [t('column.filter'), () => deeds.filter(column)],
    deeds.hide && [t('column.hide'), () => deeds.hide(column)],
    [t('column.copyName', { name: column.column }), copyName],
    // They come a moment later: nothing moves from under the pointer.
    ...frequent.map(({ words, share, ...condition }, place) => [
      words,
      () => deeds.add(condition),
      { aside: showPercent(share, 1), isApart: place === 0 },
    ]),
  ].filter(Boolean)
  return html`<${Menu}
    label=${t('deeds', { name: column.label })}
    items=${items}
    at=${at}
    onClose=${onClose}
  />`
}

/** The values that come often, as conditions: what PostgreSQL knows of them, so it costs nothing. */
async function frequentOf(source, { key: name, type }, signal) {
  const { columns } = await get(`/sources/${source.uuid}/profile`, {}, signal)
  const known = columns.find((column) => column.name === name)
  const about = { column: name, type }
  const often = (known?.frequent ?? [])
    .filter(({ value, share }) => share >= LEAST_SHARE && canBeSought(value, type))
    .slice(0, MOST_VALUES)
  const values = spellingsOf(often, type).flatMap((alike) => [
    ...(alike.length > 1 ? [{ ...about, ...allOf(alike) }] : []),
    ...alike.map(({ value, share }) => ({
      ...about,
      comparison: 'eq',
      value: String(value),
      share,
      words: t('column.only', { value: showValue(value, { type }) }),
    })),
  ])
  const blank = known?.blank > 0 && {
    ...about,
    comparison: 'blank',
    value: '',
    share: known.blank,
    words: t('column.onlyBlank'),
  }
  return [...values, blank].filter(Boolean)
}

/** Values beside those that are the same but for case and accents. */
const spellingsOf = (often, type) =>
  type === 'text'
    ? [...Map.groupBy(often, ({ value }) => folded(value)).values()]
    : often.map((one) => [one])

const folded = (text) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()

/** What finds every spelling: the service looks for a part without regard to case and accents. */
const allOf = (alike) => ({
  comparison: 'contains',
  value: alike[0].value,
  share: alike.reduce((sum, { share }) => sum + share, 0),
  words: t('column.spellings', { value: alike[0].value, count: alike.length }),
})
