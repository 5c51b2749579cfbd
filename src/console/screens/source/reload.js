import { FormDialog } from '../../components/dialog.js'
import { Check, Choice } from '../../components/field.js'
import { FileDrop } from '../../components/file-drop.js'
import { LongWork, useLongWork } from '../../components/long-work.js'
import { post, sendForm } from '../../core/api.js'
import { asJob } from '../../core/jobs.js'
import { showBytes, t } from '../../core/language.js'
import { goTo } from '../../core/router.js'
import { html, useState } from '../../core/ui.js'

const MODES = ['replace', 'append', 'upsert']

/** New rows for a source: from where it came, or from another file; shown at once, or looked at first. */
export function ReloadDialog({ source, onClose, onDone }) {
  const [file, setFile] = useState(null)
  const [mode, setMode] = useState('replace')
  const [key, setKey] = useState(source.columns[0]?.name ?? '')
  const [looksFirst, setLooksFirst] = useState(true)
  const work = useLongWork()

  const begin = ({ signal, onProgress }, remedy) => {
    const path = `/sources/${source.uuid}/reload`
    const given = {
      mode,
      ...(mode === 'upsert' && { key }),
      publish: !looksFirst,
      ...(remedy && { options: remedy.options }),
    }
    return file === null
      ? post(path, given, { headers: asJob, signal })
      : sendForm(path, formOf(given, file), { headers: asJob, signal, onProgress })
  }
  const fields = () =>
    html`${!file && html`<p>${t(source.source === 'api' ? 'reload.api' : 'reload.file')}</p>`}
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
      <${LongWork} of=${work} />`
  return html`<${FormDialog}
    title=${t('reload')}
    label=${t('reload')}
    fields=${fields}
    deed=${(remedy) => work.run((sending) => begin(sending, remedy))}
    onStop=${work.stop}
    onClose=${onClose}
    onDone=${() => {
      onDone(t(looksFirst ? 'reload.staged' : 'reload.done'))
      if (looksFirst) goTo('sources', source.uuid, 'changes')
    }}
  />`
}

function formOf(fields, file) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    form.append(name, typeof value === 'object' ? JSON.stringify(value) : String(value))
  }
  form.append('file', file, file.name)
  return form
}
