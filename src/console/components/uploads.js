import { isAbort, sendForm } from '../core/api.js'
import { showBytes, t } from '../core/language.js'
import { giveUp, interrupted, uploadInParts } from '../core/uploads.js'
import { html, useEffect, useRef, useState } from '../core/ui.js'
import { Problem } from './problem.js'
import { Progress } from './progress.js'
import { tell, tellProblem } from './toast.js'

/** Larger files go in parts, which survive a lost connection. */
const WHOLE_BYTES = 8 * 1024 * 1024

/** Files on their way, one line each, and those that wait for their file. */
export function Uploads({ files, folderUuid, onDone }) {
  return html`${files.map((file, at) => html`<${Upload} key=${at} file=${file} folderUuid=${folderUuid} onDone=${onDone} />`)}
    <${Interrupted} busy=${files} />`
}

function Upload({ file, folderUuid, onDone }) {
  const [state, setState] = useState({ done: 0, total: file.size, hasEnded: false, problem: null })
  const [version, setVersion] = useState(0)
  const stop = useRef(null)
  useEffect(() => {
    const own = (stop.current = new AbortController())
    setState((before) => ({ ...before, problem: null }))
    const onProgress = (done, total, isLost) =>
      setState((before) => ({ ...before, done, total, isLost }))
    const sent = async () => {
      try {
        await send(file, { folderUuid, onProgress, signal: own.signal })
        setState((before) => ({ ...before, hasEnded: true }))
        tell(t('documents.sent', { name: file.name }))
        onDone()
      } catch (problem) {
        const hasEnded = isAbort(problem)
        setState((before) => ({ ...before, problem: hasEnded ? null : problem, hasEnded }))
      }
    }
    void sent()
    // A screen that is left goes on sending.
  }, [version])
  if (state.hasEnded) return null
  if (state.problem)
    return html`<${Problem}
      problem=${state.problem}
      askAgain=${() => setVersion((before) => before + 1)}
    />`
  return html`<${Progress}
    label=${file.name}
    done=${state.done}
    total=${state.total}
    unit="bytes"
    isLost=${state.isLost}
    onCancel=${() => stop.current.abort()}
  />`
}

function send(file, given) {
  if (file.size > WHOLE_BYTES) return uploadInParts(file, given)
  const form = new FormData()
  if (given.folderUuid) form.append('folderUuid', given.folderUuid)
  form.append('file', file, file.name)
  return sendForm('/documents', form, given)
}

function Interrupted({ busy }) {
  const waiting = interrupted.value.filter(
    ({ name, size }) => !busy.some((file) => file.name === name && file.size === size),
  )
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
