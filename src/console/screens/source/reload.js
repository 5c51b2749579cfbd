import { CheckFile } from '../../components/check-file.js'
import { FormDialog } from '../../components/dialog.js'
import { Check, Choice } from '../../components/field.js'
import { FileDrop } from '../../components/file-drop.js'
import { LongWork, useLongWork } from '../../components/long-work.js'
import { Mapping, mappingOf } from '../../components/mapping.js'
import { Problem } from '../../components/problem.js'
import { tellProblem } from '../../components/toast.js'
import { get, post, sendForm } from '../../core/api.js'
import { download } from '../../core/download.js'
import { formOf } from '../../core/forms.js'
import { asJob } from '../../core/jobs.js'
import { showBytes, t } from '../../core/language.js'
import { useAnswer } from '../../core/loading.js'
import { onlyIf, orAskAgain } from '../../core/mapping.js'
import { goTo, route } from '../../core/router.js'
import { sampleOf } from '../../core/sample.js'
import { html, useState } from '../../core/ui.js'

const MODES = ['replace', 'append', 'upsert']

/** New rows for a source: from where it came, or from another file; shown at once, or looked at first. */
export function ReloadDialog({ source, onClose, onDone }) {
  const [file, setFile] = useState(null)
  const [mode, setMode] = useState('replace')
  const [key, setKey] = useState(source.columns[0]?.name ?? '')
  const [looksFirst, setLooksFirst] = useState(true)
  const [answers, setAnswers] = useState({})
  const seen = useAnswer(
    (signal) => (file === null ? Promise.resolve(null) : askMapping(source, file, signal)),
    [source.uuid, file],
  )
  const work = useLongWork()
  const mapping = mappingOf(seen.data?.mapping ?? [], answers)
  const given = () => ({
    mode,
    ...(mode === 'upsert' && { key }),
    ...(Object.keys(mapping).length > 0 && { mapping }),
  })

  const begin = ({ signal, onProgress }, remedy) => {
    const path = `/sources/${source.uuid}/reload`
    const asked = { ...given(), publish: !looksFirst, ...(remedy && { options: remedy.options }) }
    const headers = { ...asJob, ...onlyIf(seen.data?.shape) }
    return file === null
      ? post(path, asked, { headers, signal })
      : sendForm(path, formOf(asked, file), { headers, signal, onProgress })
  }
  const reload = (remedy) =>
    orAskAgain(seen.askAgain, () => work.run((sending) => begin(sending, remedy)))
  const choose = (chosen) => {
    setAnswers({})
    setFile(chosen)
  }
  const fields = () =>
    html`${!file && html`<p>${t(source.source === 'api' ? 'reload.api' : 'reload.file')}</p>`}
      ${
        file
          ? html`<p class="row">
              <strong>${file.name}</strong> ${showBytes(file.size)}
              <button type="button" class="plain" onClick=${() => choose(null)}>
                ${t('remove')}
              </button>
            </p>`
          : html`<${FileDrop} label=${t('reload.other')} onFiles=${([chosen]) => choose(chosen)} />
              <p class="row">
                <button type="button" onClick=${() => void template(source).catch(tellProblem)}>
                  ${t('shape.template.xlsx')}
                </button>
              </p>`
      }
      ${
        file &&
        html`<${Headers}
          source=${source}
          seen=${seen}
          answers=${answers}
          onAnswer=${(header, answer) => setAnswers({ ...answers, [header]: answer })}
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
      ${
        file &&
        html`<${CheckFile}
          key=${JSON.stringify(given())}
          path=${`/sources/${source.uuid}/check`}
          file=${file}
          given=${given()}
        />`
      }
      <${LongWork} of=${work} />`
  return html`<${FormDialog}
    wide=${file !== null}
    title=${t('reload')}
    label=${t('reload')}
    fields=${fields}
    deed=${reload}
    onStop=${work.stop}
    onClose=${onClose}
    onDone=${(result) => {
      // An open question waits for its answer, whatever was asked for.
      const isStaged = result.state === 'staged'
      onDone(t(isStaged ? 'reload.staged' : 'reload.done'))
      // Whoever has gone on to something else stays there.
      if (isStaged && route.value.path[1] === source.uuid) goTo('sources', source.uuid, 'changes')
    }}
  />`
}

/** A file to fill in, for whoever has none yet. */
async function template({ uuid, name }) {
  const shape = await get(`/sources/${uuid}/shape`)
  await download(`/shapes/${shape.uuid}/template`, { format: 'xlsx' }, `${name}.xlsx`)
}

/** The beginning of a file tells its headers; what cannot be cut is sent whole. */
async function askMapping({ uuid }, file, signal) {
  const sample = await sampleOf(file)
  const sent = sample?.beginning ?? sample
  const form = new FormData()
  form.append('file', sent?.blob ?? file, sent?.name ?? file.name)
  return post(`/sources/${uuid}/preview`, form, { query: { limit: 1 }, signal })
}

function Headers({ source, seen: { data, problem, askAgain }, answers, onAnswer }) {
  if (problem) return html`<${Problem} problem=${problem} askAgain=${askAgain} />`
  if (!data?.mapping) return html`<p class="soft" role="status">${t('mapping.looking')}</p>`
  const met = data.mapping.map(({ column }) => column)
  const columns = source.columns.map(({ name }) => name).filter((name) => !met.includes(name))
  return html`<${Mapping}
    mapping=${data.mapping}
    missing=${data.missing}
    columns=${columns}
    answers=${answers}
    onAnswer=${onAnswer}
  />`
}
