import { Head } from '../components/frame.js'
import { Icon } from '../components/icon.js'
import { Filter, ListOf, StateFilter, useFilter } from '../components/list.js'
import { Problem } from '../components/problem.js'
import { JobProgress } from '../components/progress.js'
import { kindWords } from '../components/running.js'
import { State } from '../components/tag.js'
import { tellProblem } from '../components/toast.js'
import { get, isAbort } from '../core/api.js'
import { cancelJob, followJob } from '../core/jobs.js'
import { showNumber, showTime, t } from '../core/language.js'
import { linkTo } from '../core/router.js'
import { hasEnded } from '../core/running.js'
import { html, useEffect, useState } from '../core/ui.js'

const STATES = ['QUEUED', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELLED']
const KINDS = [
  'source.create',
  'source.reload',
  'source.schedule',
  'source.rejects',
  'source.publish',
  'source.rollback',
  'workflow.launch',
  'folder.delete-root',
]

/** Long work: what runs, shown as it goes on, and what came of the rest. */
export default function Jobs() {
  const [version, setVersion] = useState(0)
  const [jobs, setJobs] = useState([])
  const [status, setStatus] = useFilter('status', STATES)
  const [kind, setKind] = useFilter('kind', KINDS)
  const again = () => setVersion((before) => before + 1)
  const running = jobs.filter((job) => !hasEnded(job))
  const columns = [
    [t('job.about'), (job) => html`<${About} job=${job} />`],
    [t('state'), (job) => html`<${Came} of=${job} />`],
    [
      t('rowCount'),
      ({ progress }) => (progress.rows > 0 ? showNumber(progress.rows) : ''),
      'number',
    ],
    [t('createdAt'), ({ createdAt }) => showTime(createdAt), 'time'],
    [t('finishedAt'), ({ finishedAt }) => showTime(finishedAt), 'time'],
  ]
  const tools = html`<${StateFilter} value=${status} states=${STATES} onChange=${setStatus} />
    <${Filter}
      label=${t('job.kind')}
      value=${kind}
      choices=${[['', t('job.allKinds')], ...KINDS.map((name) => [name, kindWords(name)])]}
      onChange=${setKind}
    />`
  return html`<div class="screen">
    <${Head} title=${t('part.jobs')} about=${t('jobs.about')}>
      <button type="button" onClick=${again}>${t('refresh')}</button>
    <//>
    ${running.map((job) => html`<${Running} key=${job.uuid} job=${job} onEnded=${again} />`)}
    <${ListOf}
      label=${t('part.jobs')}
      question=${(query, signal) => get('/jobs', query, signal)}
      filters=${{ status, kind }}
      tools=${tools}
      columns=${columns}
      several=${{ deeds: deedsOfSeveral(), nameOf: wordsOf }}
      version=${version}
      onAnswer=${({ items }) => setJobs(items)}
      empty=${t('jobs.empty')}
      first=${html`<a class="button primary" href=${linkTo('sources', 'new')}>${t('sources.new')}</a>`}
    />
  </div>`
}

const wordsOf = ({ kind, about }) => [kindWords(kind), about?.name].filter(Boolean).join(' · ')

const deedsOfSeveral = () => [
  { words: t('cancel'), isFor: (job) => !hasEnded(job), each: cancelJob },
]

/** The page of what a job is about, by the beginning of its kind; a folder that is gone has none. */
const PAGES = { source: 'sources', workflow: 'workflows' }

function About({ job: { kind, about } }) {
  if (!about) return kindWords(kind)
  const [begin] = kind.split('.')
  const page = about.uuid && PAGES[begin]
  return html`<span class="kind"
      ><${Icon} of=${PAGES[begin] ?? 'folders'} />
      ${page ? html`<a href=${linkTo(page, about.uuid)}>${about.name}</a>` : about.name}</span
    ><span class="below soft small">${kindWords(kind)}</span>`
}

/** Its state, and why it is that one. */
const Came = ({ of: { status, error } }) =>
  html`<${State}
      of=${status}
    />${error && html`<span class="below small">${error.detail ?? error.title}</span>`}`

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
  return html`<${JobProgress} job=${job} label=${wordsOf(job)} onCancel=${cancel} />`
}
