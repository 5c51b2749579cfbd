import { hasWords, showBytes, showNumber, t } from '../core/language.js'
import { html, useRef } from '../core/ui.js'

/** How far something is, how fast it goes, and the way to stop it. */
export function Progress({ label, done, total, unit, stall = null, onCancel, children }) {
  const share = total ? Math.min(1, done / total) : undefined
  return html`<div class="panel" role="group" aria-label=${label}>
    <div class="row">
      <strong class="grow">${label}</strong>
      ${
        unit === 'bytes' &&
        html`<span class="number">${showBytes(done)}${total ? ` / ${showBytes(total)}` : ''}</span>`
      }
      ${onCancel && html`<button type="button" onClick=${onCancel}>${t('cancel')}</button>`}
    </div>
    <progress aria-label=${label} max="1" value=${share}></progress>
    ${stall && html`<p class="small" role="status">${t(`uploads.${stall}`)}</p>`} ${children}
  </div>`
}

/** A job that loads: its phase, its rows, and rows a second. */
export function JobProgress({ job, label, onCancel }) {
  const { phase, bytesRead, bytesTotal, rows, rejected } = job.progress
  const first = useRef(null)
  if (rows > 0) first.current ??= { at: performance.now(), rows }
  const seconds = first.current ? (performance.now() - first.current.at) / 1000 : 0
  const speed = seconds > 0.5 ? (rows - first.current.rows) / seconds : null
  const words = job.waitingFor
    ? t('job.waitingFor', { part: job.waitingFor })
    : t(job.status === 'QUEUED' ? 'job.queued' : wordsFor(phase))
  return html`<${Progress}
    label=${label ?? t(`jobKind.${job.kind}`)}
    done=${bytesRead}
    total=${bytesTotal}
    unit="bytes"
    onCancel=${onCancel}
  >
    <p class="soft" aria-live="polite">
      ${words} ·
      ${t('rows', { count: rows })}${speed ? ` · ${t('rowsASecond', { speed: showNumber(Math.round(speed)) })}` : ''}${rejected > 0 ? ` · ${t('rejects', { count: rejected })}` : ''}
    </p>
  <//>`
}

const wordsFor = (phase) => (hasWords(`phase.${phase}`) ? `phase.${phase}` : 'job.begun')
