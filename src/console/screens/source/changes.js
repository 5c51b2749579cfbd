import { Answer } from '../../components/answer.js'
import { Confirm } from '../../components/dialog.js'
import { Empty } from '../../components/empty.js'
import { Choice } from '../../components/field.js'
import { Grid } from '../../components/grid.js'
import { PublishLoad, undoPublication } from '../../components/publish-load.js'
import { Absent, Problem } from '../../components/problem.js'
import { Switch } from '../../components/switch.js'
import { tell } from '../../components/toast.js'
import { del, get, isAbsent } from '../../core/api.js'
import { gridColumn, showCell } from '../../core/cells.js'
import { wordsOfType } from '../../core/formats.js'
import { showNumber, showTime, t } from '../../core/language.js'
import { useAnswer } from '../../core/loading.js'
import { usePages } from '../../core/pages.js'
import { goTo, route } from '../../core/router.js'
import { html, useCallback, useEffect, useMemo, useState } from '../../core/ui.js'
import { StagedRejects } from './staged-rejects.js'

const KINDS = ['added', 'removed', 'changed']
/** Before the word for each, so that their order is seen at a glance. */
const MARKS = { added: '+', removed: '−', changed: '≠' }
/** So many of a long run are seen, so that what comes after it is. */
const REMOVED_SEEN = 10
/** Room for what a cell was and what it is. */
const WIDTH_OF_BOTH = 200

/** Two states of the table beside each other, and the decision about the one that waits. */
export function Changes({ source, onChanged }) {
  const answer = useAnswer(
    (signal) => get(`/sources/${source.uuid}/loads`, { limit: 100 }, signal),
    [source.uuid],
  )
  const show = ({ items }) => {
    const loads = items.filter(({ state }) => ['current', 'staged', 'kept'].includes(state))
    return html`<${ChosenStates} source=${source} loads=${loads} onChanged=${onChanged} />`
  }
  return html`<${Answer} of=${answer} show=${show} />`
}

function ChosenStates({ source, loads, onChanged }) {
  const asked = route.value.query
  const [from, setFrom] = useState(asked.from ?? '')
  const [to, setTo] = useState(asked.to ?? '')
  const [chosenKey, setKey] = useState(null)
  const inState = (name) => loads.find(({ state }) => state === name)?.uuid ?? ''
  // An earlier state is compared with what is shown, what waits for a decision likewise.
  const wanted = to || inState(from === '' ? 'staged' : 'current')
  // What was upserted is told apart by the same column.
  const key = chosenKey ?? loads.find(({ uuid }) => uuid === wanted)?.key ?? ''
  if (wanted === '') {
    return html`<${Empty} of="waits"><p>${t('changes.none')}</p><//>`
  }
  const choices = loads.map(({ uuid, number, state, finishedAt }) => [
    uuid,
    `${number} · ${t(`state.${state}`)} · ${showTime(finishedAt)}`,
  ])
  const columns = source.columns.map(({ name }) => [name, name])
  return html`<div class="form-line">
      <${Choice}
        label=${t('changes.from')}
        value=${from}
        choices=${[['', t('state.current')], ...choices]}
        onChange=${setFrom}
      />
      <${Choice} label=${t('changes.to')} value=${wanted} choices=${choices} onChange=${setTo} />
      <${Choice}
        label=${t('changes.key')}
        value=${key}
        choices=${[['', t('changes.noKey')], ...columns]}
        onChange=${setKey}
      />
      <${Decision}
        source=${source}
        load=${loads.find(({ uuid, state }) => uuid === wanted && state === 'staged')}
        onChanged=${onChanged}
      />
    </div>
    <${StagedRejects} source=${source} load=${loads.find(({ uuid }) => uuid === wanted)} />
    <${Comparison}
      key=${`${from}/${wanted}/${key}`}
      source=${source}
      from=${from}
      to=${wanted}
      keyColumn=${key}
    />`
}

function Decision({ source, load, onChanged }) {
  const [asked, setAsked] = useState(null)
  if (!load) return null
  const path = `/sources/${source.uuid}/loads/${load.uuid}`
  const done = (words, undo) => {
    tell(t(words), 'good', undo)
    onChanged()
    // Whoever has gone on to something else stays there.
    if (route.value.path[1] === source.uuid) goTo('sources', source.uuid, 'rows')
  }
  return html`<button type="button" class="primary" onClick=${() => setAsked('publish')}>
      ${t('load.publish')}
    </button>
    <button type="button" class="danger" onClick=${() => setAsked('remove')}>
      ${t('load.remove')}
    </button>
    ${
      asked === 'publish' &&
      html`<${PublishLoad}
        source=${source}
        load=${load}
        onClose=${() => setAsked(null)}
        onDone=${() => done('load.published', undoPublication(source, onChanged))}
      />`
    }
    ${
      asked === 'remove' &&
      html`<${Confirm}
        title=${t('load.remove')}
        text=${t('load.remove.text', { number: load.number })}
        label=${t('load.remove')}
        deed=${() => del(path)}
        onClose=${() => setAsked(null)}
        onDone=${() => done('load.removed')}
      />`
    }`
}

function Comparison({ source, from, to, keyColumn }) {
  const [kind, setKind] = useState('')
  const question = (page, signal) =>
    get(`/sources/${source.uuid}/changes`, { ...page, from, to, key: keyColumn, kind }, signal)
  const { total, first, problem, need, rowAt, askAgain } = usePages(question, [kind], {
    isInTurn: true,
  })
  const [counts, setCounts] = useState(null)
  useEffect(() => {
    if (first) setCounts(first)
  }, [first])
  const columns = useMemo(() => columnsOf(source, counts?.drift), [source, counts])
  const fold = useFold(counts, kind)
  const cellOf = useCallback(
    (row, column) =>
      row === fold?.at
        ? cellOfFold(fold, column.key === columns[0].key)
        : cellOfChange(rowAt(rowBehind(fold, row)), column),
    [rowAt, fold?.at, columns],
  )
  const needShown = useCallback(
    (start, end) => {
      // What stands before the fold is of the first page, which is always there.
      const begin = fold ? Math.max(start, fold.at + 1) : start
      if (begin < end) need(rowBehind(fold, begin), rowBehind(fold, end))
    },
    [need, fold?.at],
  )
  const changeAt = (row) => (row === fold?.at ? null : rowAt(rowBehind(fold, row)))
  if (isAbsent(problem)) return html`<${Absent} />`
  if (problem) return html`<${Problem} problem=${problem} askAgain=${askAgain} />`
  if (!counts) return html`<p class="soft loading" role="status">${t('loading')}</p>`
  return html`<div class="row">
      <${Switch}
        label=${t('changes.kinds')}
        value=${kind}
        choices=${[['', t('changes.all')], ...KINDS.map((name) => [name, `${t(`changes.${name}`)} ${showNumber(counts[name])}`])]}
        onChange=${setKind}
      />
      <span class="soft">${t('changes.unchanged', { count: counts.unchanged })}</span>
    </div>
    <${Drift} drift=${counts.drift} />
    ${
      total === 0
        ? html`<${Empty} of="good"><p>${t('changes.same')}</p><//>`
        : html`<${Grid}
            label=${t('tab.changes')}
            columns=${columns}
            total=${fold ? total - fold.count + 1 : (total ?? 0)}
            gutter=${104}
            cellOf=${cellOf}
            need=${needShown}
            rowKind=${(row) => (row === fold?.at ? 'fold' : (changeAt(row)?.kind ?? ''))}
            gutterOf=${(row) => markOf(changeAt(row)?.kind)}
            onOpen=${(row) => row === fold?.at && fold.open()}
          />`
    }`
}

const markOf = (kind) => (kind ? `${MARKS[kind]} ${t(`change.${kind}`)}` : '…')

/** The removed rows come first; where there are many, most of them are one line until it is opened. */
function useFold(counts, kind) {
  const [isOpen, setOpen] = useState(false)
  const count = (counts?.removed ?? 0) - REMOVED_SEEN
  if (isOpen || kind !== '' || count < REMOVED_SEEN) return null
  return { at: REMOVED_SEEN, count, open: () => setOpen(true) }
}

/** The number of the change that stands in a row, of which the fold is one. */
const rowBehind = (fold, row) => (fold && row > fold.at ? row + fold.count - 1 : row)

const cellOfFold = ({ count, open }, isFirst) => ({
  raw: '',
  text: isFirst
    ? html`<button type="button" class="plain" tabindex="-1" onClick=${open}>
        ${t('changes.folded', { count })}
      </button>`
    : '',
})

/** The columns of both sides. */
function columnsOf(source, drift) {
  const known = new Map(source.columns.map((column) => [column.name, column]))
  for (const column of [...(drift?.added ?? []), ...(drift?.removed ?? [])]) {
    if (!known.has(column.name)) known.set(column.name, column)
  }
  return [...known.values()].map((column) => {
    const shown = gridColumn(column)
    return { ...shown, width: Math.max(WIDTH_OF_BOTH, shown.width) }
  })
}

function cellOfChange(change, column) {
  if (!change) return null
  const { key: name } = column
  const { kind, before, after } = change
  if (kind !== 'changed') return showCell((after ?? before)?.[name] ?? null, column)
  const was = showCell(before[name] ?? null, column)
  const is = showCell(after[name] ?? null, column)
  if (was.text === is.text) return is
  const text = `${was.text || '∅'} → ${is.text || '∅'}`
  return { text, kind: 'changed', title: text }
}

/** How the columns differ, in words. */
export const driftWords = (drift) =>
  ['added', 'removed', 'retyped'].flatMap((kind) =>
    (drift?.[kind] ?? []).map(({ name, from, to }) => {
      const types = from ? ` (${wordsOfType(from)} → ${wordsOfType(to)})` : ''
      return t(`drift.${kind}`, { name, types })
    }),
  )

export function Drift({ drift }) {
  const words = driftWords(drift)
  return words.length > 0 && html`<p class="notice warn">${words.join(', ')}</p>`
}
