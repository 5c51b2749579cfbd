import { Facts } from '../../components/facts.js'
import { Problem } from '../../components/problem.js'
import { Progress } from '../../components/progress.js'
import { saidBy } from '../../components/remedies.js'
import { Warnings } from '../../components/warnings.js'
import { isAbort } from '../../core/api.js'
import { wordsOfFormat } from '../../core/formats.js'
import { t } from '../../core/language.js'
import { LEFT } from '../../core/uploads.js'
import { html, useEffect, useMemo, useRef, useState } from '../../core/ui.js'
import { askPreview } from './ask-preview.js'
import { useSaid } from './drafts.js'
import { layOutSheet } from './lay-out-sheet.js'
import { LoadForm } from './load-form.js'
import { ReadingOptions } from './reading-options.js'
import { NOTHING_PLANNED } from './planned-columns.js'
import { Sheet } from './sheet.js'
import { SheetTabs } from './sheet-tabs.js'

const READ_AS_FOUND = { onInvalid: 'reject' }
const NOTHING_SAID = []
/** That other sheets were not read, and the way to each. */
const SAID_BY_TABS = 'other-sheets'

/** One source in the making: what was seen, what to make of it, and its loading. */
export function Draft({ draft }) {
  const [options, setOptions] = useSaid(draft, 'options', READ_AS_FOUND)
  const [columns, setColumns] = useSaid(draft, 'columns', NOTHING_SAID)
  const [plan, setPlan] = useSaid(draft, 'plan', NOTHING_PLANNED)
  const [mends, setMends] = useSaid(draft, 'mends', NOTHING_SAID)
  const [refused, setRefused] = useState([])
  const { seen, problem, isBusy, upload, askAgain, stop } = usePreview(draft, options, columns)
  const rows = useMemo(() => (seen ? layOutSheet(seen) : []), [seen])

  // Other rows make other columns: what was said of the former does not hold for them.
  const readOtherwise = (changes) => {
    setRefused([])
    setColumns([])
    setMends([])
    setPlan(NOTHING_PLANNED)
    setOptions((before) => withoutUnset({ ...before, ...changes }))
  }
  const takeOtherwise = (changes) => {
    setRefused([])
    setOptions((before) => withoutUnset({ ...before, ...changes }))
  }
  const changeColumn = (name, change) => {
    setRefused([])
    setColumns((before) => {
      const others = before.filter((column) => column.name !== name)
      return change === null ? others : [...others, { name, ...change }]
    })
  }

  /** Seen again with it; whoever loads is given what it loads with. */
  const apply = (remedy) => {
    const said = saidBy(remedy)
    setRefused([])
    setOptions(said.options)
    setColumns(said.columns)
    return said
  }

  const hasTabs = seen?.typed.dialect?.sheets?.length > 1
  return html`<${Problem} problem=${problem} askAgain=${askAgain} onRemedy=${apply} />
    ${upload && html`<${Progress} label=${t('newSource.sending')} done=${upload.done} total=${upload.total} stall=${upload.stall} unit="bytes" onCancel=${stop} />`}
    ${!seen && !problem && !upload && html`<p class="soft" role="status">${t('newSource.looking')}</p>`}
    ${
      (seen || problem) &&
      draft.origin.kind !== 'resource' &&
      html`<${ReadingOptions}
        seen=${seen}
        options=${options}
        onRead=${readOtherwise}
        onTake=${takeOtherwise}
      />`
    }
    ${
      seen &&
      html`<${Seen} seen=${seen} isBusy=${isBusy} />
        ${
          hasTabs &&
          html`<${SheetTabs}
            draft=${draft}
            typed=${seen.typed}
            options=${options}
            onRead=${readOtherwise}
          />`
        }
        <${Warnings}
          warnings=${seen.typed.warnings?.filter(({ code }) => !hasTabs || code !== SAID_BY_TABS)}
          onRemedy=${apply}
        />
        <${Sheet}
          rows=${rows}
          typed=${seen.typed}
          given=${columns}
          nullValues=${options.nullValues}
          refused=${refused}
          mends=${mends}
          onMends=${setMends}
          plan=${plan}
          onPlan=${setPlan}
          onTake=${takeOtherwise}
          options=${options}
          onRead=${readOtherwise}
          onColumn=${changeColumn}
        />
        <${LoadForm}
          draft=${draft}
          options=${options}
          columns=${columns}
          mends=${mends}
          plan=${plan}
          onTake=${takeOtherwise}
          onRefused=${setRefused}
          onRemedy=${apply}
        />`
    }`
}

const withoutUnset = (options) =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))

/**
 * Asks again whenever something else is said; what was seen stays until the answer is there. An upload
 * goes on when its draft is left, and is joined when somebody comes back to it.
 */
function usePreview(draft, options, columns) {
  const [state, setState] = useState({ seen: null, problem: null, isBusy: true, upload: null })
  const [version, setVersion] = useState(0)
  const asking = useRef(null)
  useEffect(() => {
    const own = (asking.current = new AbortController())
    setState((before) => ({ ...before, isBusy: true, problem: null }))
    const onUpload = (done, total, stall) =>
      setState((before) => ({ ...before, upload: { done, total, stall } }))
    const asked = columns.length === 0 ? options : { ...options, columns }
    const onShown = (seen) => setState((before) => ({ ...before, seen }))
    askPreview(draft, asked, { signal: own.signal, onUpload, onShown }).then(
      (seen) => setState({ seen, problem: null, isBusy: false, upload: null }),
      (problem) => {
        if (isAbort(problem) && asking.current !== own) return
        const shown = isAbort(problem) ? null : problem
        setState((before) => ({ ...before, problem: shown, isBusy: false, upload: null }))
      },
    )
    return () => {
      asking.current = null
      own.abort(LEFT)
    }
    // What a form becomes is asked once: the service takes no options for it.
  }, [draft, draft.origin.kind === 'resource' ? null : JSON.stringify([options, columns]), version])
  return {
    ...state,
    askAgain: () => setVersion((before) => before + 1),
    stop: () => asking.current?.abort(),
  }
}

function Seen({ seen: { typed, isPart }, isBusy }) {
  const { dialect = {}, format, rowCount, isSample, invalidCells, table } = typed
  const facts = [
    [t('format'), wordsOfFormat(format)],
    // That of a sample is how it was sent, not how the file is.
    ...['encoding', 'delimiter', 'sheet', ...(isPart ? [] : ['compression']), 'path'].flatMap(
      (name) => {
        const found = dialect[name]?.value ?? dialect[name]
        return found === undefined ||
          found === null ||
          found === 'none' ||
          typeof found === 'object'
          ? []
          : [[t(`dialect.${name}`), shownCharacter(found)]]
      },
    ),
    [t('columnCount'), typed.columns.length],
    table &&
      table.firstRow !== null && [t('tableRows'), `${table.firstRow}–${table.lastRow ?? '…'}`],
  ]
  return html`<div class="row seen" aria-live="polite" aria-busy=${isBusy}>
    <div class="grow"><${Facts} of=${facts} /></div>
    ${isBusy && html`<span class="tag accent">${t('newSource.lookingAgain')}</span>`}
    ${invalidCells > 0 && html`<span class="tag bad">${t('invalidCount', { count: invalidCells })}</span>`}
    <span class="small soft">
      ${isPart ? t('newSource.part') : isSample ? t('newSource.sample', { count: rowCount }) : t('newSource.all', { count: rowCount })}
    </span>
  </div>`
}

const NAMED = { '\t': 'tab', ' ': 'space' }
const shownCharacter = (found) => (NAMED[found] ? t(`character.${NAMED[found]}`) : String(found))
