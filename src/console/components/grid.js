import { copyText } from '../core/clipboard.js'
import { t } from '../core/language.js'
import { ScrollMap } from '../core/scroll-map.js'
import { html, useEffect, useLayoutEffect, useMemo, useRef, useState } from '../core/ui.js'
import { tell } from './toast.js'

const OVERSCAN = 6
const MOST_COPIED = 10_000

/**
 * Rows and columns of any number: only what is seen is in the page.
 *
 * - `columns`: `[{ key, label, type, width, align }]`, which grow into the width that there is; `headOf(column)` may
 *   show more than its label.
 * - `cellOf(row, column)` gives `{ text, raw, kind, title }`, of which `raw` is copied, or null while the row is not there yet;
 *   `need(from, to)` is told which rows are seen.
 * - `rowKind(row)` is a class of the row, `gutterOf(row)` what stands before it.
 * - `onOpen(row, column)` is called for Enter and a double click, `onMove` when the active cell moves.
 * - `goTo` is `{ row, column }`, both by number: a new one brings that cell into sight.
 * - `onRowMenu(row, at)` opens what can be done with a row, beside its number.
 */
export function Grid(props) {
  const { label, total, cellOf, need, headOf, rowKind, gutterOf, onOpen, onMove, editor } = props
  const { gutter = 56, headHeight = 30, short = false, onRowMenu, goTo } = props
  const box = useRef(null)
  const map = useRef(new ScrollMap())
  const ownScroll = useRef(null)
  const [view, setView] = useState({ top: 0, left: 0, width: 0, height: 0 })
  const [cell, setCell] = useState({ row: 0, column: 0 })
  // Keys may come faster than the page is drawn.
  const latest = useRef(cell)
  const [anchor, setAnchor] = useState(null)
  const rowPx = useRowHeight()
  const columns = useMemo(
    () => widened(props.columns, view.width - gutter),
    [props.columns, view.width, gutter],
  )
  const lefts = useMemo(() => leftsOf(columns), [columns])
  const fullWidth = gutter + lefts.at(-1)

  map.current.resize(total * rowPx + headHeight, Math.max(1, view.height))
  const { heightPx } = map.current

  const measure = () => {
    const { scrollTop, scrollLeft, clientWidth, clientHeight } = box.current
    const top = scrollTop === ownScroll.current ? null : map.current.scrolledTo(scrollTop)
    ownScroll.current = scrollTop
    setView((before) => {
      const next = {
        top: top ?? before.top,
        left: scrollLeft,
        width: clientWidth,
        height: clientHeight,
      }
      const isSame = Object.keys(next).every((name) => next[name] === before[name])
      return isSame ? before : next
    })
  }
  useLayoutEffect(() => {
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(box.current)
    return () => observer.disconnect()
  }, [])

  const first = Math.max(0, Math.floor(view.top / rowPx) - OVERSCAN)
  const last = Math.min(total, Math.ceil((view.top + view.height) / rowPx) + OVERSCAN)
  useEffect(() => {
    if (last > first) need?.(first, last)
  }, [first, last, need])
  const firstColumn = Math.max(0, columnAt(lefts, view.left) - 1)
  const lastColumn = Math.min(columns.length, columnAt(lefts, view.left + view.width) + 2)

  const showRow = (row) => {
    const { height, top } = view
    const begin = row * rowPx
    const seen = height - headHeight
    const next = begin < top ? begin : begin + rowPx > top + seen ? begin + rowPx - seen : null
    if (next === null) return
    const bar = map.current.barFor(next)
    ownScroll.current = bar
    box.current.scrollTop = bar
    setView((before) => ({ ...before, top: next }))
  }
  const showColumn = (column) => {
    const { scrollLeft, clientWidth } = box.current
    const seen = clientWidth - gutter
    if (lefts[column] < scrollLeft) box.current.scrollLeft = lefts[column]
    else if (lefts[column + 1] > scrollLeft + seen)
      box.current.scrollLeft = lefts[column + 1] - seen
  }
  const moveTo = (row, column, isSelecting) => {
    const next = {
      row: Math.max(0, Math.min(total - 1, row)),
      column: Math.max(0, Math.min(columns.length - 1, column)),
    }
    setAnchor(isSelecting ? (anchor ?? latest.current) : null)
    latest.current = next
    setCell(next)
    showRow(next.row)
    showColumn(next.column)
    onMove?.(next.row, columns[next.column])
  }

  const focusWanted = useRef(false)
  // Before the browser paints: a cell that is active no longer loses the focus, and a key with it.
  useLayoutEffect(() => {
    if (!focusWanted.current) return
    focusWanted.current = false
    box.current.querySelector('[data-active]')?.focus({ preventScroll: true })
  })
  const move = (row, column, isSelecting = false) => {
    focusWanted.current = true
    moveTo(row, column, isSelecting)
  }

  const selection = rangeOf(cell, anchor ?? cell)
  useEffect(() => {
    if (goTo) moveTo(goTo.row, goTo.column, false)
  }, [goTo])

  const copy = async () => {
    const rows = Math.min(selection.lastRow - selection.firstRow + 1, MOST_COPIED)
    const lines = Array.from({ length: rows }, (_, at) =>
      columns
        .slice(selection.firstColumn, selection.lastColumn + 1)
        .map((column) => clean(copied(cellOf(selection.firstRow + at, column))))
        .join('\t'),
    )
    if (await copyText(lines.join('\n'))) tell(t('copiedCells'))
  }
  const onKeyDown = (event) => {
    // In a head or an editor the keys are those of the control.
    if (event.target.closest('select, input, button, a')) return
    const { row, column } = latest.current
    const page = Math.max(1, Math.floor((view.height - headHeight) / rowPx) - 1)
    const isFar = event.ctrlKey || event.metaKey
    const to = {
      ArrowUp: [isFar ? 0 : row - 1, column],
      ArrowDown: [isFar ? total - 1 : row + 1, column],
      ArrowLeft: [row, isFar ? 0 : column - 1],
      ArrowRight: [row, isFar ? columns.length - 1 : column + 1],
      PageUp: [row - page, column],
      PageDown: [row + page, column],
      Home: [isFar ? 0 : row, 0],
      End: [isFar ? total - 1 : row, columns.length - 1],
    }[event.key]
    if (to) {
      event.preventDefault()
      move(...to, event.shiftKey)
    } else if (
      onRowMenu &&
      (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey))
    ) {
      event.preventDefault()
      openRowMenu(row, event.target)
    } else if (event.key === 'Enter' || event.key === 'F2') {
      event.preventDefault()
      onOpen?.(row, columns[column])
    } else if (event.key === 'c' && isFar) {
      event.preventDefault()
      void copy()
    } else if (event.key === 'a' && isFar) {
      event.preventDefault()
      setAnchor({ row: 0, column: 0 })
      setCell({ row: total - 1, column: columns.length - 1 })
    }
  }

  const openRowMenu = (row, element) => {
    const { left, bottom } = element.getBoundingClientRect()
    onRowMenu(row, { x: left, y: bottom })
  }
  const numberOf = (row) => (gutterOf ? gutterOf(row) : row + 1)

  const rows = []
  const seenColumns = columns.slice(firstColumn, lastColumn)
  // Rows lie from the top of the view, wherever the short scroll bar says that this is.
  const shift = (box.current?.scrollTop ?? 0) - view.top
  for (let row = first; row < last; row++) {
    const kind = rowKind?.(row) ?? ''
    rows.push(
      html`<div
        key=${row}
        class=${`grid-row ${kind}`}
        role="row"
        aria-rowindex=${row + 2}
        style=${{ transform: `translateY(${row * rowPx + shift}px)`, width: `${fullWidth}px` }}
      >
        <div class="grid-cell grid-gutter" role="rowheader" style=${{ width: `${gutter}px` }}>
          ${
            onRowMenu
              ? html`<button
                  type="button"
                  class="plain"
                  tabindex="-1"
                  aria-haspopup="menu"
                  onClick=${(event) => openRowMenu(row, event.currentTarget)}
                >
                  ${numberOf(row)}
                </button>`
              : numberOf(row)
          }
        </div>
        ${seenColumns.map((column, at) => {
          const index = firstColumn + at
          const shown = cellOf(row, column)
          const isActive = row === cell.row && index === cell.column
          const isSelected =
            anchor !== null &&
            row >= selection.firstRow &&
            row <= selection.lastRow &&
            index >= selection.firstColumn &&
            index <= selection.lastColumn
          const isEdited = editor?.row === row && editor.column === column.key
          return html`<div
            key=${column.key}
            class=${`grid-cell ${column.align ?? ''} ${shown?.kind ?? ''}${isSelected ? ' selected' : ''}`}
            role="gridcell"
            aria-colindex=${index + 2}
            aria-selected=${isActive || isSelected}
            data-active=${isActive || undefined}
            tabindex=${isActive ? 0 : -1}
            title=${shown?.title}
            style=${{ left: `${gutter + lefts[index]}px`, width: `${column.width}px` }}
            onMouseDown=${(event) => {
              if (event.button === 0 && !event.target.closest('input'))
                move(row, index, event.shiftKey)
            }}
            onDblClick=${() => onOpen?.(row, column)}
          >
            ${isEdited ? editor.control : shown === null ? '…' : shown.text}
          </div>`
        })}
      </div>`,
    )
  }

  return html`<div
    ref=${box}
    class=${short ? 'grid-box short' : 'grid-box'}
    style=${short ? { height: `${headHeight + total * rowPx + 18}px` } : undefined}
    role="grid"
    aria-label=${label}
    aria-rowcount=${total + 1}
    aria-colcount=${columns.length + 1}
    aria-multiselectable="true"
    onScroll=${measure}
    onKeyDown=${onKeyDown}
  >
    <div
      class="grid-head"
      role="row"
      aria-rowindex="1"
      style=${{ height: `${headHeight}px`, width: `${fullWidth}px` }}
    >
      <div class="grid-cell grid-gutter" role="columnheader" style=${{ width: `${gutter}px` }}>
        <span class="hidden-text">${t('rowNumber')}</span>
      </div>
      ${seenColumns.map(
        (column, at) =>
          html`<div
            key=${column.key}
            class="grid-cell"
            role="columnheader"
            aria-colindex=${firstColumn + at + 2}
            aria-sort=${column.sort}
            style=${{ left: `${gutter + lefts[firstColumn + at]}px`, width: `${column.width}px` }}
          >
            ${headOf ? headOf(column) : column.label}
          </div>`,
      )}
    </div>
    <div
      class="grid-body"
      role="rowgroup"
      style=${{ height: `${Math.max(0, heightPx - headHeight)}px`, width: `${fullWidth}px` }}
    >
      ${rows}
    </div>
  </div>`
}

/** What is left of the width goes to those that hold text, which is cut first; where there is none, to all. */
function widened(columns, widthPx) {
  const left = widthPx - leftsOf(columns).at(-1)
  if (left <= 0) return columns
  const texts = columns.filter(({ type }) => type === 'text' || type === 'json')
  const growing = new Set(texts.length > 0 ? texts : columns)
  const sum = leftsOf([...growing]).at(-1)
  return columns.map((column) =>
    growing.has(column)
      ? { ...column, width: column.width + Math.floor((left * column.width) / sum) }
      : column,
  )
}

function leftsOf(columns) {
  const lefts = [0]
  for (const { width } of columns) lefts.push(lefts.at(-1) + width)
  return lefts
}

function columnAt(lefts, px) {
  let low = 0
  let high = lefts.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if (lefts[middle + 1] <= px) low = middle + 1
    else high = middle
  }
  return low
}

const rangeOf = (a, b) => ({
  firstRow: Math.min(a.row, b.row),
  lastRow: Math.max(a.row, b.row),
  firstColumn: Math.min(a.column, b.column),
  lastColumn: Math.max(a.column, b.column),
})

/** As it is stored, however it is shown. */
const copied = (shown) => shown?.raw ?? shown?.text ?? ''

/** A line break or a tab in a cell would begin another one where it is pasted. */
const clean = (text) => String(text).replaceAll(/[\t\r\n]+/g, ' ')

function useRowHeight() {
  const read = () =>
    Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue('--row'))
  const [height, setHeight] = useState(read)
  useEffect(() => {
    const again = () => setHeight(read())
    addEventListener('resize', again)
    return () => removeEventListener('resize', again)
  }, [])
  return height
}
