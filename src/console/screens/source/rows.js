import { Empty } from '../../components/empty.js'
import { Grid } from '../../components/grid.js'
import { Problem } from '../../components/problem.js'
import { get } from '../../core/api.js'
import { gridColumn, showCell } from '../../core/cells.js'
import { t } from '../../core/language.js'
import { usePages } from '../../core/pages.js'
import { lookAt, route } from '../../core/router.js'
import { filterQuery, readFilters, readList, writeFilters } from '../../core/row-filters.js'
import { html, useCallback, useMemo, useState } from '../../core/ui.js'
import { ColumnHead, ColumnMenu } from './column-head.js'
import { RowFilters } from './row-filters.js'

/** The rows of the table, however many, in the order of the source or of a column. */
export function Rows({ source }) {
  const [sort, setSort] = useSort(source)
  const [filters, setFilters] = useFilters(source)
  const [hidden, setHidden] = useHidden(source)
  const [menu, setMenu] = useState(null)
  const closeMenu = useCallback(() => setMenu(null), [])
  const [wanted, setWanted] = useState(null)
  const question = (page, signal) =>
    get(
      `/sources/${source.uuid}/data`,
      { ...page, ...filterQuery(filters), ...(sort && { sort: sort.name, order: sort.order }) },
      signal,
    )
  const { total, first, problem, need, rowAt, askAgain } = usePages(question, [
    source.uuid,
    sort,
    filters,
  ])
  const columns = useMemo(
    () =>
      (first?.columns ?? source.columns)
        .filter(({ name }) => !hidden.includes(name))
        .map((column) =>
          gridColumn({
            ...column,
            ...(sort?.name === column.name && {
              sort: sort.order === 'asc' ? 'ascending' : 'descending',
            }),
          }),
        ),
    [first, source, sort, hidden],
  )
  const cellOf = useCallback(
    (row, column) => {
      const found = rowAt(row)
      return found === undefined ? null : showCell(found[column.key] ?? null, column)
    },
    [rowAt],
  )
  const isFiltered = filters.length > 0
  const rows = () =>
    html`<div class="row">
        <p class="small soft">
          ${isFiltered && total !== null ? t('filter.passing', { count: total }) : t('grid.hint')}
        </p>
        ${
          hidden.length > 0 &&
          html`<button type="button" class="plain small" onClick=${() => setHidden([])}>
            ${t('column.hidden', { count: hidden.length })}
          </button>`
        }
      </div>
      <${Grid}
        key=${isFiltered}
        label=${source.name}
        columns=${columns}
        total=${total ?? Math.min(source.rowCount, 40)}
        gutter=${Math.max(48, String(source.rowCount).length * 9 + 16)}
        headHeight=${32}
        cellOf=${cellOf}
        need=${need}
        headOf=${(column) =>
          html`<${ColumnHead} column=${column} onSort=${setSort} onMenu=${setMenu} />`}
      />`
  const deeds = {
    sortBy: setSort,
    filter: setWanted,
    add: (condition) => setFilters([...filters, condition]),
    // One is left, or there would be nothing to bring the others back beside.
    hide: columns.length > 1 && (({ key }) => setHidden([...hidden, key])),
  }
  const empty = () =>
    isFiltered
      ? html`<${Empty} of="search">
          <p>${t('filter.none')}</p>
          <button type="button" onClick=${() => setFilters([])}>${t('showAll')}</button>
        <//>`
      : html`<${Empty} of="sources"><p>${t('source.noRows')}</p><//>`
  return html`<${RowFilters}
      columns=${source.columns}
      filters=${filters}
      onChange=${setFilters}
      wanted=${wanted}
    />
    ${
      menu &&
      html`<${ColumnMenu} ...${menu} source=${source} deeds=${deeds} onClose=${closeMenu} />`
    }
    <${Problem} problem=${problem} askAgain=${askAgain} />
    ${total === 0 ? empty() : (!problem || total !== null) && rows()}`
}

/** As the address says; null is the order of the source. */
function useSort({ columns }) {
  const { sort: name, order } = route.value.query
  const isKnown = columns.some((column) => column.name === name)
  const sort = useMemo(
    () => (isKnown ? { name, order: order === 'desc' ? 'desc' : 'asc' } : null),
    [name, order, isKnown],
  )
  return [sort, (next) => lookAt({ sort: next?.name, order: next?.order })]
}

function useFilters({ columns }) {
  const { where } = route.value.query
  const filters = useMemo(() => readFilters(where, columns), [where, columns])
  return [filters, (next) => lookAt({ where: writeFilters(next) })]
}

/** Names, as the address has them; one at least is shown. */
function useHidden({ columns }) {
  const { hide } = route.value.query
  const hidden = useMemo(() => {
    const known = columns.map(({ name }) => name).filter((name) => readList(hide).includes(name))
    return known.length < columns.length ? known : []
  }, [hide, columns])
  return [hidden, (next) => lookAt({ hide: next.length === 0 ? '' : JSON.stringify(next) })]
}
