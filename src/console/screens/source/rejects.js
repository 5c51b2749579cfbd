import { Grid } from '../../components/grid.js'
import { LongWork, useLongWork } from '../../components/long-work.js'
import { Problem } from '../../components/problem.js'
import { tell, tellProblem } from '../../components/toast.js'
import { ask, get, sendForm } from '../../core/api.js'
import { readCsv, writeCsv } from '../../core/csv.js'
import { download } from '../../core/download.js'
import { asJob } from '../../core/jobs.js'
import { t } from '../../core/language.js'
import { useAnswer, useDeed } from '../../core/loading.js'
import { html, useCallback, useLayoutEffect, useMemo, useRef, useState } from '../../core/ui.js'

/** More are corrected in a spreadsheet. */
const MOST_CORRECTED_HERE = 5000
const FILES = ['xlsx', 'csv']

/** Rows that were left out, with the reason, corrected where they stand. */
export function Rejects({ source, onChanged }) {
  const isFew = source.rejectedCount <= MOST_CORRECTED_HERE
  const { data, problem, askAgain } = useAnswer(
    (signal) =>
      source.rejectedCount > 0 && isFew ? askRejects(source, signal) : Promise.resolve(null),
    [source.uuid, source.rejectedCount],
  )
  if (source.rejectedCount === 0)
    return html`<p class="empty" role="status">${t('rejects.none')}</p>`
  const asFile = (format) =>
    download(`/sources/${source.uuid}/rejects`, { format }, `${source.tableName}-rejects.${format}`)
  return html`<div class="row">
      <p class="grow">
        ${t(isFew ? 'rejects.about' : 'rejects.many', { count: source.rejectedCount })}
      </p>
      ${FILES.map(
        (format) =>
          html`<button type="button" onClick=${() => void asFile(format).catch(tellProblem)}>
            ${t(`rejects.download.${format}`)}
          </button>`,
      )}
    </div>
    <${SendFile} source=${source} onChanged=${onChanged} />
    <${Problem} problem=${problem} askAgain=${askAgain} />
    ${data && html`<${Corrections} source=${source} rejects=${data} onChanged=${onChanged} />`}`
}

/** So many are shown with the cell that was refused; the others with their reason alone. */
const PAGES_MARKED = 5
const PAGE = 100

async function askRejects({ uuid, rejectedCount }, signal) {
  const path = `/sources/${uuid}/rejects`
  const pages = Math.min(PAGES_MARKED, Math.ceil(rejectedCount / PAGE))
  const [response, ...marked] = await Promise.all([
    ask('GET', path, { query: { format: 'csv' }, signal }),
    ...Array.from({ length: pages }, (_, at) => get(path, { page: at + 1, limit: PAGE }, signal)),
  ])
  const [head, ...rows] = readCsv((await response.text()).replace(/^\uFEFF/, ''))
  const items = marked.flatMap((page) => page.items)
  return { head, rows, faulty: new Map(items.map(({ id, column }) => [String(id), column])) }
}

/** Columns of the file that are about the reject, before those of its row. */
const ABOUT = 2

function Corrections({ source, rejects: { head, rows, faulty }, onChanged }) {
  const [edited, setEdited] = useState(new Map())
  const [open, setOpen] = useState(null)
  const work = useLongWork()
  const { isBusy, problem, attempt } = useDeed()
  const columns = useMemo(
    () =>
      head.map((label, index) => ({
        key: index,
        label: index === 0 ? t('rejects.reason') : index === 1 ? t('rejects.number') : label,
        name: label,
        width: index === 0 ? 320 : index === 1 ? 70 : 180,
      })),
    [head],
  )
  const valueAt = (row, column) => edited.get(row)?.[column] ?? rows[row][column] ?? ''
  const cellOf = useCallback(
    (row, { key, name }) => {
      const text = valueAt(row, key)
      if (key < ABOUT) return { text, kind: key === 1 ? 'number' : '', title: text }
      if (text !== (rows[row][key] ?? '')) return { text, kind: 'changed', title: rows[row][key] }
      return { text, kind: faulty.get(rows[row][1]) === name ? 'invalid' : '', title: text }
    },
    [edited, rows, faulty],
  )
  const write = (row, column, text) => {
    setEdited((before) => {
      const next = new Map(before)
      const cells = [...(next.get(row) ?? rows[row])]
      cells[column] = text
      if (cells.every((cell, at) => cell === rows[row][at])) next.delete(row)
      else next.set(row, cells)
      return next
    })
    setOpen(null)
  }
  const send = async () => {
    const file = new File(
      [writeCsv([head, ...edited.values()])],
      `${source.tableName}-rejects.csv`,
      { type: 'text/csv' },
    )
    const { done, result } = await attempt(() => work.run(correctionsIn(source, file)))
    if (!done) return
    const taken = Math.min(edited.size, takenBetween(source, result))
    if (taken > 0) tell(t('rejects.sent', { count: taken }))
    const again = edited.size - taken
    if (again > 0) tell(t('rejects.again', { count: again }), 'warn')
    onChanged()
  }
  const editor = open && {
    row: open.row,
    column: open.column,
    control: html`<${CellEditor}
      label=${head[open.column]}
      value=${valueAt(open.row, open.column)}
      onDone=${(text) => write(open.row, open.column, text)}
      onCancel=${() => setOpen(null)}
    />`,
  }
  return html`<div class="row">
      <span class="grow soft">${t('rejects.hint')}</span>
      <button type="button" class="primary" disabled=${isBusy || edited.size === 0} onClick=${send}>
        ${edited.size === 0 ? t('rejects.sendNone') : t('rejects.send', { count: edited.size })}
      </button>
    </div>
    <${LongWork} of=${work} />
    <${Problem} problem=${problem} />
    <${Grid}
      label=${t('tab.rejects')}
      columns=${columns}
      total=${rows.length}
      cellOf=${cellOf}
      editor=${editor}
      onOpen=${(row, column) => column.key >= ABOUT && setOpen({ row, column: column.key })}
    />`
}

function CellEditor({ label, value, onDone, onCancel }) {
  const input = useRef(null)
  // Before the browser paints: what is typed at once belongs here.
  useLayoutEffect(() => {
    input.current.focus()
    input.current.select()
  }, [])
  const onKeyDown = (event) => {
    if (event.key === 'Enter') onDone(event.currentTarget.value)
    if (event.key === 'Escape') onCancel()
  }
  return html`<input
    ref=${input}
    aria-label=${label}
    value=${value}
    onKeyDown=${onKeyDown}
    onBlur=${(event) => onDone(event.currentTarget.value)}
  />`
}

function SendFile({ source, onChanged }) {
  const { isBusy, problem, attempt } = useDeed()
  const work = useLongWork()
  const take = async (event) => {
    const [file] = event.currentTarget.files
    if (!file) return
    const { done, result } = await attempt(() => work.run(correctionsIn(source, file)))
    if (!done) return
    const taken = takenBetween(source, result)
    const { rejectedCount } = result
    if (taken > 0) tell(t('rejects.sent', { count: taken }))
    if (rejectedCount > 0) tell(t('rejects.about', { count: rejectedCount }), 'warn')
    onChanged()
  }
  return html`<details>
    <summary>${t('rejects.file')}</summary>
    <div class="form panel">
      <label class="field"
        ><span>${t('rejects.file.hint')}</span>
        <input
          type="file"
          accept=${FILES.map((format) => `.${format}`).join()}
          disabled=${isBusy}
          onChange=${take}
      /></label>
      <${LongWork} of=${work} />
      <${Problem} problem=${problem} />
    </div>
  </details>`
}

/** What is rejected again takes the place of its reject, so that only what is taken makes them fewer. */
const takenBetween = (before, after) => Math.max(0, before.rejectedCount - after.rejectedCount)

const correctionsIn =
  ({ uuid }, file) =>
  (sending) => {
    const form = new FormData()
    form.append('file', file, file.name)
    return sendForm(`/sources/${uuid}/rejects`, form, { headers: asJob, ...sending })
  }
