import { Answer } from '../components/answer.js'
import { ShowDialog } from '../components/dialog.js'
import { Empty } from '../components/empty.js'
import { Head } from '../components/frame.js'
import { Grid } from '../components/grid.js'
import { ListOf } from '../components/list.js'
import { LongWork, useLongWork } from '../components/long-work.js'
import { Problem } from '../components/problem.js'
import { State } from '../components/tag.js'
import { tell } from '../components/toast.js'
import { Way } from '../components/way.js'
import { get, post } from '../core/api.js'
import { gridColumn, showCell } from '../core/cells.js'
import { asJob } from '../core/jobs.js'
import { showNumber, showTime, t } from '../core/language.js'
import { useAnswer, useDeed } from '../core/loading.js'
import { html, useCallback, useMemo, useState } from '../core/ui.js'
import { ChooseDocument, ChooseResource, ChooseWay } from './new-source/choose-origin.js'
import { sourceWords } from './workflows.js'

/** One workflow: its source, what that looks like, its launches and their tables. */
export default function Workflow({ path: [, uuid] }) {
  const answer = useAnswer((signal) => get(`/workflows/${uuid}`, {}, signal), [uuid])
  return html`<div class="screen">
    <${Way} part="workflows" />
    <${Answer}
      of=${answer}
      thing=${uuid}
      show=${(workflow) => html`<${Launches} workflow=${workflow} onChanged=${answer.askAgain} />`}
    />
  </div>`
}

function Launches({ workflow, onChanged }) {
  const path = `/workflows/${workflow.uuid}`
  const [isChoosing, setChoosing] = useState(false)
  const [version, setVersion] = useState(0)
  const work = useLongWork()
  const { isBusy, problem, attempt } = useDeed()
  const launch = async () => {
    const begin = ({ signal }) => post(`${path}/launch`, {}, { headers: asJob, signal })
    const { done, result } = await attempt(() => work.run(begin))
    setVersion((before) => before + 1)
    if (done) tell(t('workflow.launched', { count: result.rowCount ?? 0 }))
  }
  const columns = [
    [t('startedAt'), ({ startedAt }) => showTime(startedAt), 'time'],
    [
      t('state'),
      ({ status, errorMessage }) =>
        html`<${State}
            of=${status}
          />${errorMessage && html`<span class="below small">${errorMessage}</span>`}`,
    ],
    [t('rowCount'), ({ rowCount }) => (rowCount === null ? '' : showNumber(rowCount)), 'number'],
    [t('table'), ({ table }) => (table ? html`<code>${table}</code>` : '')],
    [t('finishedAt'), ({ finishedAt }) => showTime(finishedAt), 'time'],
  ]
  return html`<${Head}
      title=${workflow.name}
      facts=${[[t('workflow.source'), sourceWords(workflow.sourceConfig)]]}
    >
      <button type="button" onClick=${() => setChoosing(true)}>${t('workflow.choose')}</button>
      <button
        type="button"
        class="primary"
        disabled=${isBusy || !workflow.sourceConfig}
        onClick=${launch}
      >
        ${t('workflow.launch')}
      </button>
    <//>
    <${LongWork} of=${work} onCancel=${work.stop} />
    <${Problem} problem=${problem} />
    ${
      workflow.sourceConfig
        ? html`<h2>${t('workflow.preview')}</h2>
            <${Preview} key=${JSON.stringify(workflow.sourceConfig)} path=${path} />`
        : html`<${Empty} of="form">
            <p>${t('workflow.noSource.long')}</p>
            <button type="button" onClick=${() => setChoosing(true)}>
              ${t('workflow.choose')}
            </button>
          <//>`
    }
    <h2>${t('workflow.runs')}</h2>
    <${ListOf}
      label=${t('workflow.runs')}
      question=${(query, signal) => get(`${path}/runs`, query, signal)}
      columns=${columns}
      version=${version}
      empty=${t('workflow.noRuns')}
    />
    ${
      isChoosing &&
      html`<${SourceDialog}
        path=${path}
        onClose=${() => setChoosing(false)}
        onDone=${() => {
          setChoosing(false)
          tell(t('saved'))
          onChanged()
        }}
      />`
    }`
}

const PREVIEWED = 20
const ROWS_SHOWN = 10

function Preview({ path }) {
  const answer = useAnswer(
    (signal) => get(`${path}/source-preview`, { limit: PREVIEWED }, signal),
    [path],
  )
  return html`<${Answer} of=${answer} show=${(seen) => html`<${FirstRows} seen=${seen} />`} />`
}

function FirstRows({ seen: { columns, data } }) {
  const shown = useMemo(() => columns.map((column) => gridColumn(column)), [columns])
  const cellOf = useCallback(
    (row, column) => showCell(data[row][column.key] ?? null, column),
    [data],
  )
  return html`<${Grid}
    short
    label=${t('workflow.preview')}
    columns=${shown}
    total=${Math.min(ROWS_SHOWN, data.length)}
    cellOf=${cellOf}
  />`
}

function SourceDialog({ path, onClose, onDone }) {
  const [way, setWay] = useState('form')
  const { problem, attempt } = useDeed()
  const choose = async (body) => {
    const { done } = await attempt(() => post(`${path}/source-config`, body))
    if (done) onDone()
  }
  return html`<${ShowDialog} title=${t('workflow.choose')} onClose=${onClose}>
    <${ChooseWay} ways=${['form', 'document']} value=${way} onChange=${setWay} />
    <${Problem} problem=${problem} />
    ${
      way === 'form'
        ? html`<${ChooseResource}
            isFormOnly
            onChosen=${({ connectionUuid, uuid, title }) => choose({ sourceType: 'api', connectionUuid, formUuid: uuid, formTitle: title })}
          />`
        : html`<${ChooseDocument}
            onChosen=${({ uuid }) => choose({ sourceType: 'document', documentUuid: uuid })}
          />`
    }
  <//>`
}
