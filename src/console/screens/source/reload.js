import { CheckResult } from '../../components/check.js'
import { FormDialog } from '../../components/dialog.js'
import { Check, Choice } from '../../components/field.js'
import { FileDrop } from '../../components/file-drop.js'
import { LongWork, useLongWork } from '../../components/long-work.js'
import { Mapping, foundOf } from '../../components/mapping.js'
import { Problem } from '../../components/problem.js'
import { post, sendForm } from '../../core/api.js'
import { sendForFile } from '../../core/download.js'
import { formOf } from '../../core/forms.js'
import { asJob } from '../../core/jobs.js'
import { showBytes, t } from '../../core/language.js'
import { useAnswer, useDeed } from '../../core/loading.js'
import { columnOf } from '../../core/mapping.js'
import { goTo } from '../../core/router.js'
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
    return file === null
      ? post(path, asked, { headers: asJob, signal })
      : sendForm(path, formOf(asked, file), { headers: asJob, signal, onProgress })
  }
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
          : html`<${FileDrop} label=${t('reload.other')} onFiles=${([chosen]) => choose(chosen)} />`
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
      ${file && html`<${CheckFile} key=${JSON.stringify(given())} source=${source} file=${file} given=${given()} />`}
      <${LongWork} of=${work} />`
  return html`<${FormDialog}
    wide=${file !== null}
    title=${t('reload')}
    label=${t('reload')}
    fields=${fields}
    deed=${(remedy) => work.run((sending) => begin(sending, remedy))}
    onStop=${work.stop}
    onClose=${onClose}
    onDone=${(result) => {
      // An open question waits for its answer, whatever was asked for.
      const isStaged = result.state === 'staged'
      onDone(t(isStaged ? 'reload.staged' : 'reload.done'))
      if (isStaged) goTo('sources', source.uuid, 'changes')
    }}
  />`
}

/** The beginning of a file tells its headers; what cannot be cut is sent whole. */
async function askMapping({ uuid }, file, signal) {
  const sample = await sampleOf(file)
  const sent = sample?.beginning ?? sample
  const form = new FormData()
  form.append('file', sent?.blob ?? file, sent?.name ?? file.name)
  return post(`/sources/${uuid}/preview`, form, { query: { limit: 1 }, signal })
}

/** What has to be said: what people chose, and what was proposed and is as good as sure. */
function mappingOf(found, answers) {
  const said = found.flatMap((met) => {
    const { header, by } = met
    const answer = answers[header] ?? (by === 'proposed' ? foundOf(met) : '')
    return answer === '' ? [] : [[header, columnOf(header, answer)]]
  })
  return Object.fromEntries(said)
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

/** What is wrong with the whole file, before anything is loaded; and the file back, with that marked in it. */
function CheckFile({ source, file, given }) {
  const [check, setCheck] = useState(null)
  const { isBusy, problem, attempt } = useDeed()
  const path = `/sources/${source.uuid}/check`
  const look = async () => {
    const { done, result } = await attempt(() => sendForm(path, formOf(given, file)))
    if (done) setCheck(result)
  }
  const back = () =>
    attempt(() => sendForFile(path, formOf(given, file), `${t('check.back.name')} ${nameOf(file)}`))
  return html`<div class="form">
    <div class="row">
      <button type="button" disabled=${isBusy} onClick=${look}>${t('check')}</button>
      ${
        check &&
        !check.valid &&
        html`<button type="button" disabled=${isBusy} onClick=${back}>${t('check.back')}</button>`
      }
      ${isBusy && html`<span class="soft" role="status">${t('check.looking')}</span>`}
    </div>
    <${Problem} problem=${problem} />
    ${check && html`<${CheckResult} of=${check} />`}
  </div>`
}

const nameOf = ({ name }) =>
  /\.xls[xm]$/i.test(name) ? name : `${name.replace(/\.[^.]+$/, '')}.xlsx`
