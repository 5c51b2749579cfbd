import { FormDialog, ShowDialog } from '../components/dialog.js'
import { Facts } from '../components/facts.js'
import { TextField } from '../components/field.js'
import { useLongWork } from '../components/long-work.js'
import { ask } from '../core/api.js'
import { asJob } from '../core/jobs.js'
import { showNumber, t } from '../core/language.js'
import { goTo } from '../core/router.js'
import { html, useState } from '../core/ui.js'

/** Deletion for good: the name is written out, the work is watched, and its result is shown. */
export function DeleteRoot({ folder, onClose }) {
  const [folderName, setFolderName] = useState('')
  const [result, setResult] = useState(null)
  const { job, run } = useLongWork()
  const begin = async () => {
    const body = { folderName }
    const headers = asJob
    return (await ask('DELETE', `/folders/${folder.uuid}/root`, { body, headers })).json()
  }
  if (result) return html`<${Result} result=${result} />`
  const fields = (errorAt) =>
    html`<p class="notice bad">${t('folder.deleteRoot.text')}</p>
      <${TextField}
        label=${t('typeToConfirm', { name: folder.name })}
        autocomplete="off"
        value=${folderName}
        onInput=${setFolderName}
        error=${errorAt('/folderName')}
      />
      ${job && html`<p role="status">${t('folder.deleting', { count: job.progress.rows })}</p>`}`
  return html`<${FormDialog}
    title=${t('folder.deleteRoot')}
    label=${t('folder.deleteRoot')}
    kind="danger"
    isReady=${folderName === folder.name}
    fields=${fields}
    deed=${() => run(begin)}
    onClose=${onClose}
    onDone=${setResult}
  />`
}

function Result({ result }) {
  const { folderDeleted, deletedFolders, deletedDocuments, failedDocuments, notified } = result
  return html`<${ShowDialog}
    title=${t(folderDeleted ? 'folder.gone' : 'folder.partlyGone')}
    onClose=${() => goTo('folders')}
  >
    <${Facts}
      of=${[
        [t('folder.goneFolders'), showNumber(deletedFolders)],
        [t('folder.goneDocuments'), showNumber(deletedDocuments)],
      ]}
    />
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
  <//>`
}
