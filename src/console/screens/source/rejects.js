import { CellEditor } from '../../components/cell-editor.js'
import { Empty } from '../../components/empty.js'
import { FaultWalk, isAlike } from '../../components/fault-walk.js'
import { Grid } from '../../components/grid.js'
import { LongWork, useLongWork } from '../../components/long-work.js'
import { Problem } from '../../components/problem.js'
import { tell, tellProblem } from '../../components/toast.js'
import { download } from '../../core/download.js'
import { t } from '../../core/language.js'
import { useAnswer, useDeed } from '../../core/loading.js'
import { orAskAgain } from '../../core/mapping.js'
import { ABOUT, askRejects, correctionsIn, numberOf, sendCorrections } from '../../core/rejects.js'
import { html, useCallback, useMemo, useState } from '../../core/ui.js'
import { useUnsent } from '../../core/unsent.js'

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
  if (source.rejectedCount === 0) return html`<${Empty} of="good"><p>${t('rejects.none')}</p><//>`
  const asFile = (format) =>
    download(`/sources/${source.uuid}/rejects`, { format }, `${source.tableName}-rejects.${format}`)
  const files = FILES.map(
    (format) =>
      html`<button type="button" onClick=${() => void asFile(format).catch(tellProblem)}>
        ${t(`rejects.download.${format}`)}
      </button>`,
  )
  const sending = html`<${SendFile} source=${source} onChanged=${onChanged} />`
  const waiting = () =>
    html`<div class="row">
        <p class="grow">
          ${t(isFew ? 'rejects.about' : 'rejects.many', { count: source.rejectedCount })}
        </p>
        ${files}
      </div>
      ${sending}`
  return html`<${Problem} problem=${problem} askAgain=${askAgain} />
    ${data ? html`<${Corrections} ...${{ source, files, sending, askAgain, onChanged }} rejects=${data} />` : waiting()}`
}

const NONE = new Map()

/** `files` and `sending`: what is corrected elsewhere, and comes back. */
function Corrections({ source, rejects, files, sending, askAgain, onChanged }) {
  const { head, rows, faulty } = rejects
  /** Corrected rows by the number of their reject. */
  const [kept, setKept] = useUnsent(`rejects/${source.uuid}`)
  const written = kept ?? NONE
  const [open, setOpen] = useState(null)
  const [goTo, setGoTo] = useState(null)
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
  const valueAt = (row, column) =>
    written.get(numberOf(rows[row]))?.[column] ?? rows[row][column] ?? ''
  const cellOf = useCallback(
    (row, { key, name }) => {
      const text = valueAt(row, key)
      if (key < ABOUT) return { text, kind: key === 1 ? 'number' : '', title: text }
      if (text !== (rows[row][key] ?? '')) return { text, kind: 'changed', title: rows[row][key] }
      const isFault = faulty.get(numberOf(rows[row]))?.column === name
      return { text, kind: isFault ? 'invalid' : '', title: text }
    },
    [kept, rows, faulty],
  )
  const faults = useMemo(
    () =>
      rows.flatMap((row, at) => {
        const found = faulty.get(numberOf(row))
        const column = found?.column === undefined ? -1 : head.indexOf(found.column, ABOUT)
        if (column === -1 || valueAt(at, column) !== (row[column] ?? '')) return []
        const { id, line, message } = found
        return [
          {
            key: id,
            at,
            index: column,
            line: line ?? found.row,
            column: found.column,
            value: row[column] ?? '',
            message,
          },
        ]
      }),
    [kept, rows, faulty, head],
  )
  const writeAll = (cells) =>
    setKept((before) => {
      const next = new Map(before ?? NONE)
      for (const { at, index, text } of cells) {
        const number = numberOf(rows[at])
        const row = (next.get(number) ?? rows[at]).with(index, text)
        if (row.every((cell, column) => cell === rows[at][column])) next.delete(number)
        else next.set(number, row)
      }
      return next.size === 0 ? null : next
    })
  const write = (at, index, text) => {
    writeAll([{ at, index, text }])
    setOpen(null)
  }
  const mend = (fault, text, isForAlike) => {
    const mended = isForAlike ? faults.filter(isAlike(fault)) : [fault]
    writeAll(mended.map(({ at, index }) => ({ at, index, text })))
  }
  const corrected = rows.map((row) => written.get(numberOf(row))).filter((row) => row !== undefined)
  const send = async () => {
    const { done, result } = await attempt(() =>
      orAskAgain(askAgain, () => work.run(sendCorrections(source, rejects, corrected))),
    )
    if (!done) return
    setKept(null)
    const taken = Math.min(corrected.length, takenBetween(source, result))
    if (taken > 0) tell(t('rejects.sent', { count: taken }))
    const again = corrected.length - taken
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
      <p class="grow">
        ${t('rejects.about', { count: source.rejectedCount })}${' '}
        <span class="soft">${t('rejects.hint')}</span>
      </p>
      ${files}
      ${
        corrected.length > 0 &&
        html`<button type="button" disabled=${isBusy} onClick=${() => setKept(null)}>
          ${t('rejects.undo')}
        </button>`
      }
      <button
        type="button"
        class="primary"
        disabled=${isBusy || corrected.length === 0}
        onClick=${send}
      >
        ${
          corrected.length === 0
            ? t('rejects.sendNone')
            : t('rejects.send', { count: corrected.length })
        }
      </button>
    </div>
    ${sending}
    <${LongWork} of=${work} />
    <${Problem} problem=${problem} />
    <${FaultWalk}
      faults=${faults}
      onGo=${({ at, index }) => setGoTo({ row: at, column: index })}
      onMend=${mend}
      onBlank=${(fault, isForAlike) => mend(fault, '', isForAlike)}
    />
    <${Grid}
      label=${t('tab.rejects')}
      columns=${columns}
      total=${rows.length}
      cellOf=${cellOf}
      editor=${editor}
      goTo=${goTo}
      onOpen=${(row, column) => column.key >= ABOUT && setOpen({ row, column: column.key })}
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
