import { cancelJob } from '../core/jobs.js'
import { hasWords, t } from '../core/language.js'
import { linkTo } from '../core/router.js'
import { lookForJobs, running } from '../core/running.js'
import { severals, wordsOfSeveral } from '../core/several.js'
import { underWay } from '../core/uploads.js'
import { html } from '../core/ui.js'
import { Icon } from './icon.js'
import { tellProblem } from './toast.js'

export const kindWords = (kind) => (hasWords(`jobKind.${kind}`) ? t(`jobKind.${kind}`) : kind)

/** Whatever runs, on every page, and the way to stop it. */
export function Running() {
  const uploads = underWay.value.filter(({ problem }) => !problem)
  const jobs = running.value
  const deeds = severals.value
  if (uploads.length + jobs.length + deeds.length === 0) return null
  return html`<section class="running" aria-label=${t('running')}>
    <ul>
      ${uploads.map(
        ({ key, file, done, total, stall, stop }) =>
          html`<${One}
            key=${key}
            icon="upload"
            words=${file.name}
            share=${total ? done / total : undefined}
            about=${stall && t(`uploads.${stall}`)}
            onCancel=${stop}
          />`,
      )}
      ${deeds.map(
        (deed) =>
          html`<${One}
            key=${deed.key}
            icon="jobs"
            words=${deed.words}
            share=${deed.done / deed.total}
            about=${wordsOfSeveral(deed)}
            onCancel=${deed.stop}
          />`,
      )}
      ${jobs.map((job) => html`<${One} key=${job.uuid} ...${looksOf(job)} />`)}
    </ul>
  </section>`
}

function looksOf(job) {
  const { about, kind, status, progress } = job
  const { bytesRead, bytesTotal, rows } = progress
  const cancel = () => void cancelJob(job).then(lookForJobs, tellProblem)
  return {
    icon: 'jobs',
    words: about?.name ?? kindWords(kind),
    href: linkTo('jobs'),
    share: bytesTotal ? Math.min(1, bytesRead / bytesTotal) : undefined,
    about: [
      about && kindWords(kind),
      status === 'QUEUED' ? t('job.queued') : rows > 0 && t('rows', { count: rows }),
    ]
      .filter(Boolean)
      .join(' · '),
    onCancel: cancel,
  }
}

const One = ({ icon, words, href, share, about, onCancel }) =>
  html`<li>
    <div class="running-line">
      <${Icon} of=${icon} />
      <span class="grow cut">${href ? html`<a href=${href}>${words}</a>` : words}</span>
      <button
        type="button"
        class="plain"
        aria-label=${`${t('cancel')} ${words}`}
        onClick=${onCancel}
      >
        <${Icon} of="close" />
      </button>
    </div>
    <progress aria-label=${words} max="1" value=${share}></progress>
    ${about && html`<p class="small soft">${about}</p>`}
  </li>`
