import { Head } from '../components/frame.js'
import { ListOf } from '../components/list.js'
import { Problem } from '../components/problem.js'
import { JobProgress } from '../components/progress.js'
import { State } from '../components/tag.js'
import { tellProblem } from '../components/toast.js'
import { get, isAbort } from '../core/api.js'
import { cancelJob, followJob, hasEnded } from '../core/jobs.js'
import { hasWords, showNumber, showTime, t } from '../core/language.js'
import { html, useEffect, useState } from '../core/ui.js'

/** Long work: what runs, shown as it goes on, and what came of the rest. */
export default function Jobs() {
  const [version, setVersion] = useState(0)
  const [jobs, setJobs] = useState([])
  const again = () => setVersion((before) => before + 1)
  const running = jobs.filter((job) => !hasEnded(job))
  const columns = [
    [t('job.kind'), ({ kind }) => kindWords(kind)],
    [t('state'), ({ status }) => html`<${State} of=${status} />`],
    [
      t('rowCount'),
      ({ progress }) => (progress.rows > 0 ? showNumber(progress.rows) : ''),
      'number',
    ],
    [t('createdAt'), ({ createdAt }) => showTime(createdAt), 'time'],
    [t('finishedAt'), ({ finishedAt }) => showTime(finishedAt), 'time'],
    [t('problem'), ({ error }) => error?.detail ?? error?.title ?? '', 'long'],
  ]
  return html`<div class="screen">
    <${Head} title=${t('part.jobs')} about=${t('jobs.about')}>
      <button type="button" onClick=${again}>${t('refresh')}</button>
    <//>
    ${running.map((job) => html`<${Running} key=${job.uuid} job=${job} onEnded=${again} />`)}
    <${ListOf}
      label=${t('part.jobs')}
      question=${(query, signal) => get('/jobs', query, signal)}
      columns=${columns}
      version=${version}
      onAnswer=${({ items }) => setJobs(items)}
      empty=${html`<p>${t('jobs.empty')}</p>`}
    />
  </div>`
}

const kindWords = (kind) => (hasWords(`jobKind.${kind}`) ? t(`jobKind.${kind}`) : kind)

function Running({ job: first, onEnded }) {
  const [job, setJob] = useState(first)
  const [problem, setProblem] = useState(null)
  useEffect(() => {
    const stop = new AbortController()
    followJob(first, setJob, stop.signal).then(onEnded, (error) => {
      if (!isAbort(error)) setProblem(error)
    })
    return () => stop.abort()
  }, [first.uuid])
  const cancel = () => void cancelJob(job).catch(tellProblem)
  if (problem) return html`<${Problem} problem=${problem} askAgain=${onEnded} />`
  return html`<${JobProgress} job=${job} label=${kindWords(job.kind)} onCancel=${cancel} />`
}
