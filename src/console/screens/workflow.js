import { Dialog } from '../components/dialog.js'
import { Head } from '../components/frame.js'
import { Grid } from '../components/grid.js'
import { ListOf } from '../components/list.js'
import { Problem } from '../components/problem.js'
import { JobProgress } from '../components/progress.js'
import { State } from '../components/tag.js'
import { tell } from '../components/toast.js'
import { get, post } from '../core/api.js'
import { gridColumn, showCell } from '../core/cells.js'
import { cancelJob, runJob } from '../core/jobs.js'
import { showNumber, showTime, t } from '../core/language.js'
import { useAnswer, useDeed } from '../core/loading.js'
import { html, useCallback, useMemo, useState } from '../core/ui.js'
import { ChooseDocument, ChooseResource } from './new-source/choose-origin.js'
import { sourceWords } from './workflows.js'

/** One workflow: its source, what that looks like, its launches and their tables. */
export default function Workflow({ path: [, uuid] }) {
  const path = `/workflows/${uuid}`
  const { data: workflow, problem, askAgain } = useAnswer((signal) => get(path, {}, signal), [uuid])
  const [isChoosing, setChoosing] = useState(false)
  const [version, setVersion] = useState(0)
  const [job, setJob] = useState(null)
  const launching = useDeed()
  if (problem && !workflow)
    return html`<div class="screen"><${Problem} problem=${problem} askAgain=${askAgain} /></div>`
  if (!workflow)
    return html`<div class="screen"><p class="soft" role="status">${t('loading')}</p></div>`

  const launch = async () => {
    const { done, result } = await launching.attempt(() => runJob(`${path}/launch`, {}, setJob))
    setJob(null)
    setVersion((before) => before + 1)
    if (done) tell(t('workflow.launched', { count: result.rowCount ?? 0 }))
  }
  const columns = [
    [t('startedAt'), ({ startedAt }) => showTime(startedAt), 'time'],
    [t('state'), ({ status }) => html`<${State} of=${status} />`],
    [t('rowCount'), ({ rowCount }) => (rowCount === null ? '' : showNumber(rowCount)), 'number'],
    [t('table'), ({ table }) => (table ? html`<code>${table}</code>` : '')],
    [t('problem'), ({ errorMessage }) => errorMessage ?? ''],
    [t('finishedAt'), ({ finishedAt }) => showTime(finishedAt), 'time'],
  ]
  return html`<div class="screen">
    <${Head} title=${workflow.name}>
      <button type="button" onClick=${() => setChoosing(true)}>${t('workflow.choose')}</button>
      <button
        type="button"
        class="primary"
        disabled=${launching.isBusy || !workflow.sourceConfig}
        onClick=${launch}
      >
        ${t('workflow.launch')}
      </button>
    <//>
    <dl class="facts">
      <div>
        <dt>${t('workflow.source')}</dt>
        <dd>${sourceWords(workflow.sourceConfig)}</dd>
      </div>
    </dl>
    ${job && html`<${JobProgress} job=${job} onCancel=${() => void cancelJob(job).catch(() => undefined)} />`}
    <${Problem} problem=${launching.problem} />
    ${
      workflow.sourceConfig
        ? html`<h2>${t('workflow.preview')}</h2>
            <${Preview} key=${JSON.stringify(workflow.sourceConfig)} path=${path} />`
        : html`<p class="empty">${t('workflow.noSource.long')}</p>`
    }
    <h2>${t('workflow.runs')}</h2>
    <${ListOf}
      label=${t('workflow.runs')}
      question=${(query, signal) => get(`${path}/runs`, query, signal)}
      columns=${columns}
      version=${version}
      empty=${html`<p>${t('workflow.noRuns')}</p>`}
    />
    ${
      isChoosing &&
      html`<${SourceDialog}
        path=${path}
        onClose=${() => setChoosing(false)}
        onDone=${() => {
          setChoosing(false)
          tell(t('saved'))
          void askAgain()
        }}
      />`
    }
  </div>`
}

const PREVIEWED = 20

function Preview({ path }) {
  const { data, problem, askAgain } = useAnswer(
    (signal) => get(`${path}/source-preview`, { limit: PREVIEWED }, signal),
    [path],
  )
  const columns = useMemo(() => (data?.columns ?? []).map((column) => gridColumn(column)), [data])
  const cellOf = useCallback(
    (row, { key, type }) => showCell(data.data[row][key] ?? null, type),
    [data],
  )
  if (problem) return html`<${Problem} problem=${problem} askAgain=${askAgain} />`
  if (!data) return html`<p class="soft" role="status">${t('loading')}</p>`
  return html`<${Grid}
    short
    label=${t('workflow.preview')}
    columns=${columns}
    total=${Math.min(10, data.rowCount)}
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
  return html`<${Dialog} title=${t('workflow.choose')} onClose=${onClose}>
    <div class="row" role="group" aria-label=${t('newSource.from')}>
      ${['form', 'document'].map((name) => html`<button type="button" aria-pressed=${way === name} onClick=${() => setWay(name)}>${t(`newSource.from.${name}`)}</button>`)}
    </div>
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
    <div class="row row-end"><button type="button" onClick=${onClose}>${t('close')}</button></div>
  <//>`
}
