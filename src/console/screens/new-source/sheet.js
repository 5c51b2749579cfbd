import { CellEditor } from '../../components/cell-editor.js'
import { FaultWalk } from '../../components/fault-walk.js'
import { Grid } from '../../components/grid.js'
import { Icon } from '../../components/icon.js'
import { Menu } from '../../components/menu.js'
import { Switch } from '../../components/switch.js'
import { showCell } from '../../core/cells.js'
import { takes } from '../../core/formats.js'
import { t } from '../../core/language.js'
import { html, useCallback, useMemo, useState } from '../../core/ui.js'
import { ColumnHead, EvidenceDialog } from './column-head.js'
import { judgeCell } from './lay-out-sheet.js'
import { mendOf } from './mends.js'
import { inOrder, moved, planOf, withPlan } from './planned-columns.js'

const WAYS = ['sheet', 'values']
/** Where the table is, as somebody says it. */
const BY_HAND = ['headerRow', 'firstRow', 'lastRow', 'range']
const HEAD_PX = 106
/** The colour of each kind of row. */
const LEGEND = { title: 'warn', header: 'accent', note: 'note', invalid: 'bad' }

/** The first rows of the file, each named for what it was taken for, under the columns they become. */
export function Sheet(props) {
  const { rows, typed, given, nullValues, refused, mends, plan, options } = props
  const { onRead, onTake, onMends, onPlan, onColumn } = props
  const hasSheet = takes(typed.format, 'headerRow')
  const [way, setWay] = useState('sheet')
  const [active, setActive] = useState(0)
  const [examined, setExamined] = useState(null)
  const [menu, setMenu] = useState(null)
  const [goTo, setGoTo] = useState(null)
  const [open, setOpen] = useState(null)
  const closeMenu = useCallback(() => setMenu(null), [])
  const shown = way === 'sheet' ? rows : rows.filter(({ values }) => values !== null)
  const columns = useMemo(() => columnsOf(typed, rows, given), [typed, rows, given])
  const headers = typed.columns.map(({ name }) => name)
  // As in the table, columns stand as they will; in the file they stay where they are.
  const seenColumns = way === 'sheet' ? columns : asPlanned(columns, plan, headers)
  // Where there is no sheet, rows are counted.
  const found = useMemo(
    () =>
      refused.map(({ line, row, ...fault }) => ({
        ...fault,
        line: hasSheet ? (line ?? row) : row,
      })),
    [refused, hasSheet],
  )
  const judge = useMemo(() => judgeWith({ refused: found, nullValues }), [found, nullValues])
  const faults = useMemo(
    () => faultsOf({ rows, columns, refused: found, mends }, judge),
    [rows, columns, found, mends, judge],
  )
  const cellOf = useCallback(
    (at, column) => {
      const row = shown[at]
      if (way === 'values') return showCell(row.values[column.name] ?? null, column)
      const text = textOf(row, column)
      const fault = judge(row, column, text)
      if (fault === null) return { text, kind: alignment(row, column), title: text }
      const mend = mendOf(mends, { line: row.line, column: column.name, value: text })
      if (mend) return { text: mend.text, kind: 'changed', title: text }
      return { text, kind: fault.kind, title: fault.message }
    },
    [shown, way, judge, mends],
  )
  const mend = ({ line, column, value }, text, isForAlike) =>
    onMends((before) => [
      ...before.filter((one) => one.column !== column || one.line !== line),
      isForAlike ? { column, value, text } : { line, column, value, text },
    ])
  const blank = (fault, isForAlike) =>
    isForAlike
      ? onTake({ nullValues: [...new Set([...(nullValues ?? []), fault.value.trim()])] })
      : mend(fault, '', false)
  const faultAt = (at, { name }) =>
    faults.find(({ line, column }) => line === shown[at].line && column === name)
  const row = shown[Math.min(active, shown.length - 1)]
  const shownColumn = typed.columns.find(({ name }) => name === examined)
  const isByHand = BY_HAND.some((name) => options[name] !== undefined)
  // What can be said of a line, by its number alone.
  const deedsFor = (line) => [
    [t('headerHere'), () => onRead({ headerRow: line, firstRow: undefined })],
    [t('firstHere'), () => onRead({ firstRow: line })],
    [t('lastHere'), () => onRead({ lastRow: line })],
    [t('noHeader'), () => onRead({ headerRow: 0 })],
  ]
  const findAgain = () => onRead(Object.fromEntries(BY_HAND.map((name) => [name, undefined])))
  return html`<div class="row sheet-tools">
      ${
        hasSheet &&
        html`<${Switch}
            label=${t('shown')}
            value=${way}
            choices=${WAYS.map((name) => [name, t(`shown.${name}`)])}
            onChange=${setWay}
          />
          <p class="row small soft legend">
            ${Object.entries(LEGEND).map(([kind, colour]) => html`<span class="row"><span class=${`key ${colour}`}></span>${t(`rowKind.${kind}`)}</span>`)}
          </p>`
      }
      ${
        hasSheet &&
        way === 'sheet' &&
        row &&
        html`<div class="row">
          ${isByHand && html`<button type="button" onClick=${findAgain}>${t('findAgain')}</button>`}
          <button
            type="button"
            aria-haspopup="menu"
            onClick=${({ currentTarget }) => {
              const { right, bottom } = currentTarget.getBoundingClientRect()
              setMenu({ line: row.line, place: { x: right, y: bottom, isEnd: true } })
            }}
          >
            ${t('rowChosen', { row: row.line })} <${Icon} of="more" />
          </button>
        </div>`
      }
    </div>
    <${FaultWalk}
      faults=${faults}
      onGo=${({ line, index }) => {
        const at = shown.findIndex((one) => one.line === line)
        if (at !== -1 && index !== -1) setGoTo({ row: at, column: index })
      }}
      onMend=${mend}
      onBlank=${blank}
    />
    <${Grid}
      label=${t('sheet')}
      columns=${seenColumns}
      total=${shown.length}
      headHeight=${HEAD_PX}
      gutter=${104}
      cellOf=${cellOf}
      rowKind=${(at) => (shown[at].kind === 'data' ? '' : shown[at].kind)}
      gutterOf=${(at) => gutterText(shown[at])}
      onRowMenu=${hasSheet ? (at, place) => setMenu({ line: shown[at].line, place }) : undefined}
      onMove=${setActive}
      goTo=${goTo}
      onOpen=${(at, column) => {
        const fault = way === 'sheet' && faultAt(at, column)
        if (fault) setOpen({ row: at, column: column.key, fault })
      }}
      editor=${
        open && {
          ...open,
          control: html`<${CellEditor}
            label=${open.fault.column}
            value=${open.fault.value}
            onDone=${(text) => {
              setOpen(null)
              if (text !== open.fault.value) mend(open.fault, text, false)
            }}
            onCancel=${() => setOpen(null)}
          />`,
        }
      }
      headOf=${(column) =>
        column.name === undefined
          ? html`<span class="soft">${t('noColumn')}</span>`
          : html`<${ColumnHead}
              column=${column}
              rows=${typed.data}
              planned=${planOf(plan, column.name)}
              given=${given.find(({ name }) => name === column.name)}
              onChange=${(change) => onColumn(column.name, change)}
              onExamine=${() => setExamined(column.name)}
            />`}
    />
    ${
      menu &&
      html`<${Menu}
        label=${t('rowChosen', { row: menu.line })}
        items=${deedsFor(menu.line)}
        at=${menu.place}
        onClose=${closeMenu}
      />`
    }
    ${
      shownColumn &&
      html`<${EvidenceDialog}
        column=${shownColumn}
        rows=${typed.data}
        planned=${planOf(plan, examined)}
        onPlan=${(change) => onPlan((before) => withPlan(before, examined, change))}
        onMove=${(steps) => onPlan((before) => moved(before, headers, examined, steps))}
        given=${given.find(({ name }) => name === examined)}
        onChange=${(change) => onColumn(examined, change)}
        onClose=${() => setExamined(null)}
      />`
    }`
}

const gutterText = ({ kind, line }) => (kind === 'data' ? line : `${t(`rowKind.${kind}`)} ${line}`)

const asPlanned = (columns, plan, headers) =>
  inOrder(plan, headers)
    .filter((header) => !planOf(plan, header).isLeft)
    .map((header) => columns.find(({ name }) => name === header))

function textOf({ cells }, { index }) {
  const raw = cells[index] ?? ''
  return typeof raw === 'object' ? JSON.stringify(raw) : String(raw)
}

const alignment = ({ kind, values }, { name, type }) =>
  kind === 'data' && values !== null && name !== undefined && type === 'number' ? 'number' : ''

/** What is wrong with a cell, or only to be known of it; null: nothing. */
function judgeWith({ refused, nullValues }) {
  const known = new Map(refused.map(({ line, column, message }) => [`${line}/${column}`, message]))
  return ({ kind, line, values }, { name, type }, text) => {
    if (kind !== 'data' || values === null || name === undefined) return null
    const message = known.get(`${line}/${name}`)
    if (message) return { kind: 'invalid', message }
    const fate = judgeCell(text, values[name], type, nullValues)
    if (fate === 'nothing') return { kind: 'dropped', message: t('cell.nothing') }
    if (fate === 'taken') return null
    return { kind: 'invalid', message: t('cell.invalid', { type: t(`type.${type}`) }) }
  }
}

/** The cells in sight that do not fit, then those that a refusal names besides; without what was mended. */
function faultsOf({ rows, columns, refused, mends }, judge) {
  const seen = rows.flatMap((row) =>
    columns.flatMap((column) => {
      const value = textOf(row, column)
      const fault = judge(row, column, value)
      if (fault?.kind !== 'invalid') return []
      return [{ line: row.line, column: column.name, value, message: fault.message }]
    }),
  )
  const lines = new Set(rows.map(({ line }) => line))
  const others = refused.filter(({ line, column }) => column !== undefined && !lines.has(line))
  return [...seen, ...others]
    .filter((fault) => mendOf(mends, fault) === undefined)
    .map((fault) => ({
      ...fault,
      key: `${fault.line}/${fault.column}`,
      index: columns.findIndex(({ name }) => name === fault.column),
    }))
}

/** The columns of the table; rows outside of it may be wider. */
function columnsOf(typed, rows, given) {
  const widest = rows.reduce((most, { cells }) => Math.max(most, lastFilled(cells)), 0)
  const count = Math.max(typed.columns.length, Math.min(widest, typed.columns.length + 20))
  return Array.from({ length: count }, (_, index) => {
    const found = typed.columns[index]
    // What was said of it counts, also where the service is not asked again.
    const column = found && { ...found, ...given.find(({ name }) => name === found.name) }
    return { ...column, key: index, index, width: widthOf(column), label: column?.name }
  })
}

const lastFilled = (cells) => cells.findLastIndex((cell) => cell !== null && cell !== '') + 1

/** Room for the name and the controls of its head. */
function widthOf(column) {
  if (column === undefined) return 120
  const least = column.type === 'date' ? 200 : 150
  return Math.max(least, Math.min(260, column.name.length * 8 + 28))
}
