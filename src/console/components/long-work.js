import { cancelJob, resultOf } from '../core/jobs.js'
import { t } from '../core/language.js'
import { html, useRef, useState } from '../core/ui.js'
import { JobProgress, Progress } from './progress.js'

/** Work that begins with sending something and goes on as a job, and the way to stop it. */
export function useLongWork() {
  const [sent, setSent] = useState(null)
  const [job, setJob] = useState(null)
  const sending = useRef(null)
  const under = useRef(null)
  const show = (current) => {
    under.current = current
    setJob(current)
  }
  /** `begin({ signal, onProgress })` gives the job; what comes of that is the result. */
  const run = async (begin) => {
    const { signal } = (sending.current = new AbortController())
    const onProgress = (bytes, total, stall) => setSent({ bytes, total, stall })
    try {
      const begun = await begin({ signal, onProgress })
      setSent(null)
      return await resultOf(begun, show, signal)
    } finally {
      setSent(null)
      show(null)
    }
  }
  const stop = () =>
    under.current ? void cancelJob(under.current).catch(() => undefined) : sending.current?.abort()
  return { sent, job, run, stop }
}

export function LongWork({ of: { sent, job }, label, onCancel }) {
  if (sent) {
    return html`<${Progress}
      label=${t('newSource.sending')}
      done=${sent.bytes}
      total=${sent.total}
      stall=${sent.stall}
      unit="bytes"
      onCancel=${onCancel}
    />`
  }
  return job && html`<${JobProgress} job=${job} label=${label} onCancel=${onCancel} />`
}
