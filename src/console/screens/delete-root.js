import { Dialog } from '../components/dialog.js'
import { TextField } from '../components/field.js'
import { Problem } from '../components/problem.js'
import { ask } from '../core/api.js'
import { asJob, resultOf } from '../core/jobs.js'
import { showNumber, t } from '../core/language.js'
import { useDeed } from '../core/loading.js'
import { goTo } from '../core/router.js'
import { html, useState } from '../core/ui.js'

/** Deletion for good: the name is written out, the work is watched, and its result is shown. */
export function DeleteRoot({ folder, onClose }) {
  const [folderName, setFolderName] = useState('')
  const [job, setJob] = useState(null)
  const [result, setResult] = useState(null)
  const { isBusy, problem, attempt } = useDeed()
  const submit = async (event) => {
    event.preventDefault()
    const { done, result: found } = await attempt(async () => {
      const response = await ask('DELETE', `/folders/${folder.uuid}/root`, {
        body: { folderName },
        headers: asJob,
      })
      return resultOf(await response.json(), setJob)
    })
    setJob(null)
    if (done) setResult(found)
  }
  if (result) return html`<${Result} result=${result} />`
  return html`<${Dialog} title=${t('folder.deleteRoot')} onClose=${() => !isBusy && onClose()}>
    <form class="form" onSubmit=${submit}>
      <p class="notice bad">${t('folder.deleteRoot.text')}</p>
      <${TextField}
        label=${t('typeToConfirm', { name: folder.name })}
        autocomplete="off"
        value=${folderName}
        onInput=${setFolderName}
        error=${problem?.at?.('/folderName')}
      />
      ${job && html`<p role="status">${t('folder.deleting', { count: job.progress.rows })}</p>`}
      <${Problem} problem=${problem} />
      <div class="row row-end">
        <button type="button" disabled=${isBusy} onClick=${onClose}>${t('cancel')}</button>
        <button type="submit" class="danger" disabled=${isBusy || folderName !== folder.name}>
          ${t('folder.deleteRoot')}
        </button>
      </div>
    </form>
  <//>`
}

function Result({ result }) {
  const { folderDeleted, deletedFolders, deletedDocuments, failedDocuments, notified } = result
  const close = () => goTo('folders')
  return html`<${Dialog}
    title=${t(folderDeleted ? 'folder.gone' : 'folder.partlyGone')}
    onClose=${close}
  >
    <dl class="facts">
      <div>
        <dt>${t('folder.goneFolders')}</dt>
        <dd>${showNumber(deletedFolders)}</dd>
      </div>
      <div>
        <dt>${t('folder.goneDocuments')}</dt>
        <dd>${showNumber(deletedDocuments)}</dd>
      </div>
    </dl>
    ${notified && html`<p>${t('folder.notified')}</p>`}
    ${
      failedDocuments.length > 0 &&
      html`<div class="notice bad">
        <p>${t('folder.failed', { count: failedDocuments.length })}</p>
        <ul>
          ${failedDocuments.map(({ uuid, reason }) => html`<li><code>${uuid}</code>${' '}${reason}</li>`)}
        </ul>
      </div>`
    }
    <div class="row row-end">
      <button type="button" class="primary" onClick=${close}>${t('close')}</button>
    </div>
  <//>`
}
