import { useElsewhere } from '../core/elsewhere.js'
import { t } from '../core/language.js'
import { useAnswer } from '../core/loading.js'
import { goTo, lookAt, route } from '../core/router.js'
import { html, useEffect, useRef, useState } from '../core/ui.js'
import { Empty } from './empty.js'
import { Icon } from './icon.js'
import { Problem } from './problem.js'
import { Several, Tick, TickAll, useChosen } from './several.js'

const SEARCH_AFTER_MS = 250
/** Of columns, by what assistive technology is told of them. */
export const SORT_MARKS = { ascending: ' ↑', descending: ' ↓' }

/** What was typed, once the typing rests. */
export function useRested(value, ms = SEARCH_AFTER_MS) {
  const [rested, setRested] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return rested
}

/**
 * A page of things as a table. `columns` are `[words, cell, class, sort]`, the last of them what the
 * list can be in the order of; `question(query, signal)` asks
 * for a page; `filters` are further parts of the query, `tools` what chooses them, `actions` what can
 * be done with what is listed, `several` what can be done with several of them: `{ deeds, nameOf }` of `Several`.
 * Without anything it is `empty`: a sentence, and `first`, the one deed
 * that changes it. Its page and its search stand in the address, after the name of the list where a
 * screen has several; a list in a dialog keeps them.
 */
export function ListOf({
  label,
  name,
  question,
  columns,
  filters = {},
  search = false,
  limit = 20,
  place = route.value.path[0],
  empty,
  first,
  tools,
  actions,
  several = null,
  version = 0,
  onAnswer,
  isInAddress = true,
}) {
  const [look, changeLook] = useLook(name, isInAddress)
  const [typed, setTyped] = useState(look.search)
  const rested = useRested(typed)
  const page = Math.max(1, Math.floor(Number(look.page)) || 1)
  const written = useRef(look.search)
  // What was typed goes into the address, and the address, gone back to, into what is typed.
  useEffect(() => {
    if (rested !== typed || rested === look.search) return
    written.current = rested
    changeLook({ search: rested, page: '' }, { isStep: false })
  }, [rested])
  useEffect(() => {
    // Whoever types on is not held back by what has rested.
    if (look.search !== written.current) setTyped(look.search)
    written.current = look.search
  }, [look.search])
  const wanted = look.search
  const sort = columns.some(([, , , by]) => by && by === look.sort) ? look.sort : ''
  const order = look.order === 'desc' ? 'desc' : 'asc'
  const key = JSON.stringify([filters, wanted, sort && [sort, order]])
  const { data, problem, isBusy, askAgain } = useAnswer(
    (signal) =>
      question(
        {
          page,
          limit,
          ...filters,
          ...(wanted && { search: wanted }),
          ...(sort && { sort, order }),
        },
        signal,
      ),
    [page, limit, key, version],
  )
  useElsewhere(askAgain)
  useEffect(() => {
    if (data) onAnswer?.(data)
  }, [data])
  const again = () => {
    several.onDone?.()
    return askAgain()
  }
  const sortBy = (next) => changeLook({ sort: '', order: '', ...next, page: '' })
  const setPage = (number) => changeLook({ page: number === 1 ? '' : String(number) })
  const isFiltered = wanted !== '' || Object.values(filters).some(Boolean)
  const isEmpty = data?.items.length === 0 && page === 1
  const choosable = several && data ? data.items.filter(isChoosable(several)) : []
  const chosen = useChosen(choosable, `${page} ${key}`)
  // Where nothing is there is nothing to look for; whoever looked for something goes on.
  const wasSought = useRef(false)
  wasSought.current ||= isFiltered
  const hasTools = (search || tools || actions) && (!isEmpty || wasSought.current)
  return html`<div class="list" aria-busy=${isBusy}>
    ${
      chosen.things.length > 0
        ? html`<${Several} ...${several} chosen=${chosen} onDone=${again} />`
        : hasTools &&
          html`<div class="list-tools">
            ${search && html`<${Search} value=${typed} onInput=${setTyped} />`} ${tools}
            ${data && html`<${Total} of=${data.total} />`} ${actions}
          </div>`
    }
    <${Problem} problem=${problem} askAgain=${askAgain} />
    ${isEmpty && isFiltered && html`<${NothingFound} onShowAll=${() => showAll(isInAddress, changeLook)} />`}
    ${
      isEmpty &&
      !isFiltered &&
      html`<${Empty} of=${place}
        ><p>${empty}</p>
        ${first}<//
      >`
    }
    ${data && !isEmpty && html`<${Table} label=${label} columns=${columns} items=${data.items} askAgain=${askAgain} sort=${{ by: sort, order }} onSort=${sortBy} ticks=${choosable.length > 0 && { chosen, choosable, nameOf: several.nameOf }} />`}
    ${!data && !problem && html`<p class="soft loading" role="status">${t('loading')}</p>`}
    ${data && !isEmpty && (data.total > limit || page > 1 || !hasTools) && html`<${Pager} page=${page} limit=${limit} total=${data.total} onPage=${setPage} />`}
  </div>`
}

/** For which one of the deeds is there. */
const isChoosable =
  ({ deeds }) =>
  (thing) =>
    deeds.some(({ isFor }) => isFor?.(thing) ?? true)

const Search = ({ value, onInput }) =>
  html`<span class="search grow">
    <${Icon} of="search" />
    <input
      type="search"
      aria-label=${t('search')}
      placeholder=${t('search')}
      value=${value}
      onInput=${(event) => onInput(event.currentTarget.value)}
    />
  </span>`

const Total = ({ of: count }) =>
  html`<span class="total small soft">${t('total', { count })}</span>`

const NothingFound = ({ onShowAll }) =>
  html`<${Empty} of="search">
    <p>${t('nothingFound')}</p>
    <button type="button" onClick=${onShowAll}>${t('showAll')}</button>
  <//>`

/** Without any search and filter, its own and those that stand in the address. */
const showAll = (isInAddress, changeLook) =>
  isInAddress ? goTo(...route.value.path) : changeLook(UNTOUCHED)

const UNTOUCHED = { page: '', search: '', sort: '', order: '' }

/** How a list is looked at: as the address says, or, where it has no say, as was chosen here. */
function useLook(name, isInAddress) {
  const [own, setOwn] = useState(UNTOUCHED)
  if (!isInAddress) return [own, (changes) => setOwn((before) => ({ ...before, ...changes }))]
  const inAddress = (part) => (name ? `${name}.${part}` : part)
  const { query } = route.value
  const look = Object.fromEntries(
    Object.keys(UNTOUCHED).map((part) => [part, query[inAddress(part)] ?? '']),
  )
  const change = (changes, how) =>
    lookAt(
      Object.fromEntries(Object.entries(changes).map(([part, value]) => [inAddress(part), value])),
      how,
    )
  return [look, change]
}

/** What of a list is shown, from the address: `[value, change]`. Another choice begins at page 1. */
export function useFilter(name, choices) {
  const asked = route.value.query[name] ?? ''
  const value = choices.includes(asked) ? asked : ''
  return [value, (chosen) => lookAt({ [name]: chosen, page: '' })]
}

/** What of a list is shown; `choices` are `[value, words]`. */
export const Filter = ({ label, value, choices, onChange }) =>
  html`<select
    aria-label=${label}
    value=${value}
    onChange=${(event) => onChange(event.currentTarget.value)}
  >
    ${choices.map(([name, words]) => html`<option value=${name} selected=${name === value}>${words}</option>`)}
  </select>`

export const StateFilter = ({ value, states, onChange }) =>
  html`<${Filter}
    label=${t('state')}
    value=${value}
    choices=${[['', t('allStates')], ...states.map((state) => [state, t(`state.${state}`)])]}
    onChange=${onChange}
  />`

export function Table({ label, columns: given, items, askAgain, isBusy, sort, onSort, ticks }) {
  // A column without words holds what can be done, which stays in sight.
  const columns = given.map(([words, cell, kind = words ? undefined : 'actions', by]) => [
    words,
    cell,
    kind,
    by,
  ])
  return html`<div
    class="table-box"
    role="region"
    aria-label=${label}
    aria-busy=${isBusy}
    tabindex="0"
  >
    <table>
      <thead>
        <tr>
          ${ticks && html`<td class="ticks"><${TickAll} of=${ticks.chosen} count=${ticks.choosable.length} /></td>`}
          ${columns.map(([words, , kind, by]) =>
            by
              ? html`<${SortHead} ...${{ words, kind, by, sort, onSort }} />`
              : html`<th scope="col" class=${kind}>
                  ${words || html`<span class="hidden-text">${t('actions')}</span>`}
                </th>`,
          )}
        </tr>
      </thead>
      <tbody>
        ${items.map(
          (item, at) =>
            html`<tr key=${item.uuid ?? at}>
              ${ticks && html`<td class="ticks"><${TickOf} ...${ticks} item=${item} /></td>`}
              ${columns.map(([words, cell, kind], column) =>
                column === 0
                  ? html`<th scope="row" class=${kind}>${cell(item, askAgain)}</th>`
                  : html`<td class=${kind} data-label=${words}>${cell(item, askAgain)}</td>`,
              )}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`
}

function TickOf({ chosen, choosable, nameOf, item }) {
  const at = choosable.indexOf(item)
  return at !== -1 && html`<${Tick} of=${chosen} item=${item} at=${at} name=${nameOf(item)} />`
}

/** Once up, once down, and back to the order of the list. */
function SortHead({ words, kind, by, sort, onSort }) {
  const direction = sort.by === by ? (sort.order === 'asc' ? 'ascending' : 'descending') : undefined
  const next = () => {
    if (direction === 'descending') onSort(null)
    else onSort({ sort: by, order: direction === 'ascending' ? 'desc' : 'asc' })
  }
  return html`<th scope="col" class=${kind} aria-sort=${direction}>
    <button type="button" class="sort-by" onClick=${next}>${words}${SORT_MARKS[direction]}</button>
  </th>`
}

function Pager({ page, limit, total, onPage }) {
  const last = Math.max(1, Math.ceil(total / limit))
  if (last === 1) return html`<p class="pager"><${Total} of=${total} /></p>`
  return html`<nav class="pager" aria-label=${t('pages')}>
    <button type="button" disabled=${page <= 1} onClick=${() => onPage(page - 1)}>
      ${t('previous')}
    </button>
    <span class="small">${t('pageOf', { page, last })}</span>
    <button type="button" disabled=${page >= last} onClick=${() => onPage(page + 1)}>
      ${t('next')}
    </button>
    <${Total} of=${total} />
  </nav>`
}
