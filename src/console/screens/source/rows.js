import { Empty } from '../../components/empty.js'
import { Grid } from '../../components/grid.js'
import { Problem } from '../../components/problem.js'
import { get } from '../../core/api.js'
import { gridColumn, showCell } from '../../core/cells.js'
import { t } from '../../core/language.js'
import { usePages } from '../../core/pages.js'
import { lookAt, route } from '../../core/router.js'
import { filterQuery, readLook, sortQuery, writeFilters } from '../../core/row-filters.js'
import { html, useCallback, useMemo, useState } from '../../core/ui.js'
import { ColumnHead, ColumnMenu } from './column-head.js'
import { RowFilters } from './row-filters.js'
import { Views } from './views.js'

/** The rows of the table, however many, in the order of the source or of a column. */
export function Rows({ source }) {
  const { where, sort: by, order, hide } = route.value.query
  const { filters, sort, hidden } = useMemo(
    () => readLook({ where, sort: by, order, hide }, source.columns),
    [where, by, order, hide, source.columns],
  )
  const setSort = (next) => lookAt({ sort: next?.name, order: next?.order })
  const setFilters = (next) => lookAt({ where: writeFilters(next) })
  const setHidden = (next) => lookAt({ hide: next.length === 0 ? '' : JSON.stringify(next) })
  const [menu, setMenu] = useState(null)
  const closeMenu = useCallback(() => setMenu(null), [])
  const [wanted, setWanted] = useState(null)
  const question = (page, signal) =>
    get(
      `/sources/${source.uuid}/data`,
      { ...page, ...filterQuery(filters), ...sortQuery(sort) },
      signal,
    )
  const { total, first, problem, need, rowAt, askAgain } = usePages(question, [
    source.uuid,
    where,
    by,
    order,
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
    html`<${Grid}
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
  const beside = html`<${Views} source=${source} />
    ${
      hidden.length > 0 &&
      html`<button type="button" class="chip" onClick=${() => setHidden([])}>
        ${t('column.hidden', { count: hidden.length })}
      </button>`
    }
    <p class="small soft at-end">
      ${isFiltered && total !== null ? t('filter.passing', { count: total }) : t('grid.hint')}
    </p>`
  return html`<${RowFilters}
      columns=${source.columns}
      filters=${filters}
      onChange=${setFilters}
      wanted=${wanted}
      beside=${beside}
    />
    ${
      menu &&
      html`<${ColumnMenu} ...${menu} source=${source} deeds=${deeds} onClose=${closeMenu} />`
    }
    <${Problem} problem=${problem} askAgain=${askAgain} />
    ${total === 0 ? empty() : (!problem || total !== null) && rows()}`
}
