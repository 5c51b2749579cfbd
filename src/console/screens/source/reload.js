import { Dialog } from '../../components/dialog.js'
import { Check, Choice } from '../../components/field.js'
import { FileDrop } from '../../components/file-drop.js'
import { Problem } from '../../components/problem.js'
import { JobProgress, Progress } from '../../components/progress.js'
import { post, sendForm } from '../../core/api.js'
import { asJob, cancelJob, resultOf } from '../../core/jobs.js'
import { showBytes, t } from '../../core/language.js'
import { useDeed } from '../../core/loading.js'
import { goTo } from '../../core/router.js'
import { html, useRef, useState } from '../../core/ui.js'

const MODES = ['replace', 'append', 'upsert']

/** New rows for a source: from where it came, or from another file; shown at once, or looked at first. */
export function ReloadDialog({ source, onClose, onDone }) {
  const [file, setFile] = useState(null)
  const [mode, setMode] = useState('replace')
  const [key, setKey] = useState(source.columns[0]?.name ?? '')
  const [looksFirst, setLooksFirst] = useState(true)
  const [sent, setSent] = useState(null)
  const [job, setJob] = useState(null)
  const stop = useRef(null)
  const { isBusy, problem, attempt } = useDeed()

  const submit = async (event) => {
    event.preventDefault()
    stop.current = new AbortController()
    const { signal } = stop.current
    const fields = { mode, ...(mode === 'upsert' && { key }), publish: !looksFirst }
    const { done } = await attempt(async () => {
      try {
        const path = `/sources/${source.uuid}/reload`
        const begun =
          file === null
            ? await post(path, fields, { headers: asJob, signal })
            : await sendForm(path, formOf(fields, file), {
                headers: asJob,
                signal,
                onProgress: (bytes, total) => setSent({ bytes, total }),
              })
        setSent(null)
        return await resultOf(begun, setJob, signal)
      } finally {
        setSent(null)
        setJob(null)
      }
    })
    if (!done) return
    onDone(t(looksFirst ? 'reload.staged' : 'reload.done'))
    if (looksFirst) goTo('sources', source.uuid, 'changes')
  }
  const cancel = () => (job ? void cancelJob(job).catch(() => undefined) : stop.current?.abort())

  return html`<${Dialog} title=${t('reload')} onClose=${() => !isBusy && onClose()}>
    <form class="form" onSubmit=${submit}>
      ${!file && html`<p>${t(source.source === 'api' ? 'reload.api' : 'reload.file')}</p>`}
      ${
        file
          ? html`<p class="row">
              <strong>${file.name}</strong> ${showBytes(file.size)}
              <button type="button" class="plain" onClick=${() => setFile(null)}>
                ${t('remove')}
              </button>
            </p>`
          : html`<${FileDrop}
              label=${t('reload.other')}
              onFiles=${([chosen]) => setFile(chosen)}
            />`
      }
      <${Choice}
        label=${t('mode')}
        value=${mode}
        choices=${MODES.map((name) => [name, t(`mode.${name}`)])}
        onChange=${setMode}
      />
      ${
        mode === 'upsert' &&
        html`<${Choice}
          label=${t('key')}
          value=${key}
          choices=${source.columns.map(({ name }) => [name, name])}
          onChange=${setKey}
        />`
      }
      <${Check} label=${t('reload.lookFirst')} checked=${looksFirst} onChange=${setLooksFirst} />
      ${sent && html`<${Progress} label=${t('newSource.sending')} done=${sent.bytes} total=${sent.total} unit="bytes" onCancel=${cancel} />`}
      ${job && html`<${JobProgress} job=${job} onCancel=${cancel} />`}
      <${Problem} problem=${problem} />
      <div class="row row-end">
        <button type="button" disabled=${isBusy} onClick=${onClose}>${t('cancel')}</button>
        <button type="submit" class="primary" disabled=${isBusy}>${t('reload')}</button>
      </div>
    </form>
  <//>`
}

function formOf(fields, file) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value))
  form.append('file', file, file.name)
  return form
}
