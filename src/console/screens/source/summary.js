import { Table } from '../../components/list.js'
import { Problem, Absent } from '../../components/problem.js'
import { ColumnPicture, ShareBar } from '../../components/profile.js'
import { get, isAbort, isAbsent } from '../../core/api.js'
import { showNumber, showPercent, t } from '../../core/language.js'
import { useAnswer } from '../../core/loading.js'
import { linkTo } from '../../core/router.js'
import { canBeSought, writeFilters } from '../../core/row-filters.js'
import { html, useEffect, useState } from '../../core/ui.js'
import { showValue } from '../../core/values.js'

/** So many cells are counted in one question; a larger table is asked about column by column. */
const CELLS_AT_ONCE = 2_000_000

/** What each column holds: blanks, distinct values, the least and the most. It comes as it is counted. */
export function Summary({ source }) {
  const [columns, setColumns] = useState([])
  const [about, setAbout] = useState(null)
  const [problem, setProblem] = useState(null)
  const [version, setVersion] = useState(0)
  const profile = useAnswer(
    (signal) => get(`/sources/${source.uuid}/profile`, {}, signal),
    [source.uuid, version],
  )
  useEffect(() => {
    const stop = new AbortController()
    setColumns([])
    setProblem(null)
    count(source, stop.signal, (answer) => {
      setAbout(answer)
      setColumns((before) => [...before, ...answer.columns])
    }).catch((error) => {
      if (!isAbort(error)) setProblem(error)
    })
    return () => stop.abort()
  }, [source.uuid, version])
  if (isAbsent(problem)) return html`<${Absent} />`
  const profileOf = (name) => profile.data?.columns.find((column) => column.name === name)
  const counted = (show) => (shown) => {
    const found = columns.find(({ name }) => name === shown.name)
    return found ? show(found, shown) : ''
  }
  const isCounting = columns.length < source.columns.length && !problem
  const shownColumns = [
    [t('column'), ({ name }) => name],
    [t('type'), ({ type }) => t(`type.${type}`)],
    [
      t('summary.picture'),
      (shown) =>
        html`<${Picture} source=${source} column=${shown} profile=${profileOf(shown.name)} />`,
    ],
    [
      t('summary.blank'),
      counted(
        ({ blank }, shown) =>
          html`${blank === 0 ? showNumber(blank) : html`<a href=${rowsWhere(source, shown, 'blank')}>${showNumber(blank)}</a>`}${' '}<span
              class="soft"
              >${showPercent(blank, about.countedRows)}</span
            >`,
      ),
      'number',
    ],
    [t('summary.distinct'), counted(({ distinct }) => showNumber(distinct)), 'number'],
    [
      t('summary.least'),
      counted(({ least }, shown) => html`<${Value} value=${least} column=${shown} />`),
    ],
    [
      t('summary.most'),
      counted(({ most }, shown) => html`<${Value} value=${most} column=${shown} />`),
    ],
  ]
  return html`<${Problem} problem=${problem} askAgain=${() => setVersion((before) => before + 1)} />
    ${about && !about.isExact && html`<p class="notice">${t('summary.sample', { count: about.countedRows })}</p>`}
    ${isCounting && html`<p class="soft loading" role="status">${t('loading')}</p>`}
    <${Table}
      label=${t('tab.summary')}
      columns=${shownColumns}
      items=${source.columns}
      isBusy=${isCounting}
    />`
}

const Value = ({ value, column }) =>
  value === null
    ? html`<span class="soft">—</span>`
    : html`<span title=${String(value)}>${showValue(value, column)}</span>`

/** The rows that hold a value, or none. */
const rowsWhere = ({ uuid }, { name }, comparison, value = '') =>
  linkTo('sources', uuid, 'rows', {
    where: writeFilters([{ column: name, comparison, value }]),
  })

function Picture({ source, column, profile }) {
  if (!profile) return null
  const { blank } = profile
  const shares = [
    ['valid', 1 - blank],
    ['blank', blank],
  ]
  const linkOf = (value) =>
    canBeSought(value, column.type) && rowsWhere(source, column, 'eq', String(value))
  return html`<${ColumnPicture} column=${column} profile=${profile} linkTo=${linkOf} />
    <${ShareBar} of=${shares} />`
}

async function count(source, signal, onAnswer) {
  const path = `/sources/${source.uuid}/summary`
  if (source.rowCount * source.columns.length <= CELLS_AT_ONCE) {
    onAnswer(await get(path, {}, signal))
    return
  }
  for (const { name } of source.columns) onAnswer(await get(path, { column: name }, signal))
}
