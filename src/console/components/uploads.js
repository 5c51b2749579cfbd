import { showBytes, t } from '../core/language.js'
import { dismissUpload, giveUp, interruptedAt, sendDocument, underWay } from '../core/uploads.js'
import { html } from '../core/ui.js'
import { Problem } from './problem.js'
import { tell, tellProblem } from './toast.js'

/** Sends files, which goes on whatever is shown; `onDone` is told of each that has arrived. */
export function sendDocuments(files, given) {
  for (const file of files) void sendOne(file, given)
}

async function sendOne(file, { folderUuid, onDone }) {
  const document = await sendDocument(file, folderUuid)
  if (document === null) return
  tell(t('documents.sent', { name: file.name }))
  onDone()
}

/** What did not arrive in a folder, or in none, and what waits for its file. */
export function Uploads({ folderUuid, onDone }) {
  const failed = underWay.value.filter(
    (upload) => upload.problem && upload.folderUuid === folderUuid,
  )
  return html`${failed.map(
      ({ key, file, problem }) =>
        html`<div key=${key} class="form">
          <p><strong>${file.name}</strong></p>
          <${Problem}
            problem=${problem}
            askAgain=${() => sendDocuments([file], { folderUuid, onDone })}
            onClose=${() => dismissUpload(key)}
          />
        </div>`,
    )} <${Interrupted} />`
}

/** What waits for its file to be chosen again, of what goes to this address. */
export function Interrupted({ at }) {
  const waiting = interruptedAt(at)
  if (waiting.length === 0) return null
  return html`<div class="notice warn" role="status">
    <p><strong>${t('uploads.interrupted')}</strong></p>
    <ul>
      ${waiting.map(
        (entry) =>
          html`<li class="row">
            <span class="grow">${wordsOf(entry)}</span>
            <button type="button" onClick=${() => void giveUp(entry).catch(tellProblem)}>
              ${t('uploads.giveUp')}
            </button>
          </li>`,
      )}
    </ul>
  </div>`
}

const wordsOf = ({ name, size, done, parts }) =>
  `${name} · ${showBytes(size)} · ${t('uploads.parts', { done: done.length, total: parts.length })}`
