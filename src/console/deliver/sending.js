import { Mapping, withoutHeader } from '../components/mapping.js'
import { Problem } from '../components/problem.js'
import { Progress } from '../components/progress.js'
import { Warnings } from '../components/warnings.js'
import { post, put, sendForm } from '../core/api.js'
import { sendForFile } from '../core/download.js'
import { listed, showBytes, showNumber, showPercent, showTime, t } from '../core/language.js'
import { formOf } from '../core/forms.js'
import { useDeed } from '../core/loading.js'
import { columnOf } from '../core/mapping.js'
import { html, useEffect, useRef, useState } from '../core/ui.js'
import { discardSent, isForParts, uploadInParts } from '../core/uploads.js'
import { whenFree, whenTold } from '../core/when-free.js'
import { Faults } from './faults.js'
import { mended } from './mend-text.js'

/** Nothing is sent before it has been looked at: what was understood, what is asked, what is wrong. */
export function Sending({ slot, file: chosen, columns, onDone, onLeave }) {
  const [file, setFile] = useState(chosen)
  const [answers, setAnswers] = useState({})
  const [check, setCheck] = useState(null)
  const [progress, setProgress] = useState(null)
  const { isBusy, problem, attempt } = useDeed()
  const { sendOnce, uploading, stop, discard } = useUpload(slot)
  const { inTurn, wait, stopWaiting } = useTurn()
  /** A small file comes with every request; of one that was sent in parts its upload is named. */
  const bodyOf = async (given) =>
    isForParts(given)
      ? { ...saidOf(answers), uploadUuid: await sendOnce(given) }
      : formOf(saidOf(answers), given)
  const attemptInTurn = (ask) => attempt(() => inTurn(ask))
  const send = (method, path, given) =>
    attemptInTurn(async () => {
      setProgress(null)
      const body = await bodyOf(given)
      if (!(body instanceof FormData)) return (method === 'PUT' ? put : post)(path, body)
      const onProgress = (sent, total) => setProgress(sent < total ? sent / total : null)
      return sendForm(path, body, { method, onProgress })
    })
  const judge = async (given = file) => {
    const { done, result } = await send('POST', `/deliveries/${slot}/check`, given)
    if (done) setCheck(result)
  }
  useEffect(() => void judge(), [])
  const deliver = async () => {
    const { done, result } = await send('PUT', `/deliveries/${slot}`, file)
    if (done) onDone(result)
  }
  const takeBack = () =>
    attemptInTurn(async () =>
      sendForFile(`/deliveries/${slot}/check`, await bodyOf(file), backName(file.name)),
    )
  const leave = () => {
    stop()
    discard(file)
    onLeave()
  }
  const mend = (mends) => {
    const next = mended(file, mends)
    setFile(next)
    return judge(next)
  }
  const answer = (header, given) => setAnswers({ ...answers, [header]: given })
  const open = check?.questions.filter(({ header }) => header && !answers[header]) ?? []
  // What is asked for and not there is no mistake of the file, and would go unnoticed.
  const without = check ? withoutHeader({ ...check, answers }) : []
  const isAnswered = Object.keys(answers).length > 0
  return html`<div class="form" aria-busy=${isBusy}>
    <p><strong>${file.name}</strong> <span class="soft">${showBytes(file.size)}</span></p>
    ${
      uploading &&
      html`<${Progress}
        label=${t('deliver.sending')}
        done=${uploading.done}
        total=${uploading.total}
        stall=${uploading.stall}
        unit="bytes"
        onCancel=${leave}
      />`
    }
    ${wait && !uploading && html`<${Waiting} of=${wait} onStop=${stopWaiting} />`}
    ${
      isBusy &&
      !uploading &&
      !wait &&
      html`<p class="soft" role="status">
        ${progress === null ? t('deliver.reading') : showPercent(progress, 1)}
      </p>`
    }
    <${Problem} problem=${problem} />
    ${
      check &&
      html`<p role="status">
          ${t('deliver.understood', { count: check.rows })}${' '}
          ${
            check.valid
              ? open.length + without.length === 0 && t('deliver.allRight')
              : html`<strong>${t('check.invalid', { count: check.totalErrors })}</strong>`
          }
        </p>
        ${check.questions.length > 0 && html`<p class="notice warn">${t('deliver.questions')}</p>`}
        ${
          without.length > 0 &&
          html`<p class="notice warn">
            <strong>${t('deliver.without', { names: listed(without) })}</strong>
            ${t('deliver.without.about')}
          </p>`
        }
        ${
          check.mapping.length > 0 &&
          html`<details open=${check.questions.length + check.missing.length > 0}>
            <summary>${t('deliver.mapping', { count: check.mapping.length })}</summary>
            <${Mapping}
              mapping=${check.mapping}
              missing=${check.missing}
              columns=${columns.map(({ name }) => name)}
              answers=${answers}
              onAnswer=${answer}
            />
          </details>`
        }
        <${Faults} check=${check} file=${file} isBusy=${isBusy} onMend=${mend} />
        <${Warnings} warnings=${check.warnings} />`
    }
    <div class="row">
      <button
        type="button"
        class="primary"
        disabled=${isBusy || !check?.valid || open.length > 0}
        onClick=${deliver}
      >
        ${t('deliver.send')}
      </button>
      ${
        (isAnswered || problem || !check) &&
        html`<button type="button" disabled=${isBusy} onClick=${() => judge()}>
          ${t('deliver.checkAgain')}
        </button>`
      }
      ${
        check?.totalErrors > 0 &&
        html`<button type="button" disabled=${isBusy} onClick=${takeBack}>
          ${t('deliver.fileBack')}
        </button>`
      }
      <button type="button" class="plain" disabled=${isBusy} onClick=${leave}>
        ${t('deliver.other')}
      </button>
    </div>
    ${
      check?.totalErrors > check?.errors.length &&
      html`<p class="small soft">
        ${t('deliver.more', { shown: showNumber(check.errors.length) })}
      </p>`
    }
  </div>`
}

/** What is refused because the service has no place, or has read enough, is asked again when it says so. */
function useTurn() {
  const [wait, setWait] = useState(null)
  const leaving = useRef(null)
  const stopWaiting = () => leaving.current?.abort()
  useEffect(() => stopWaiting, [])
  return {
    wait,
    stopWaiting,
    inTurn(ask) {
      leaving.current = new AbortController()
      return whenFree(ask, leaving.current.signal, whenTold, setWait)
    },
  }
}

/** Which refusals say in words for senders what they wait for; others are about the insides of the service. */
const SAID = ['TooManyRequestsException', 'UploadQuotaExceededException']
const LONG_MS = 60_000

function Waiting({ of: { problem, waitMs, until }, onStop }) {
  const isSaid = SAID.includes(problem.code)
  return html`<div class="notice warn">
    <p role="status">
      <strong>${isSaid ? problem.message : t('deliver.waits')}</strong>${' '}
      ${waitMs > LONG_MS ? t('deliver.goesOnAt', { time: showTime(until) }) : t('deliver.goesOn')}
    </p>
    <div class="row">
      <button type="button" onClick=${onStop}>${t('deliver.stopWaiting')}</button>
    </div>
  </div>`
}

/** Sends a large file in parts, which go on after the connection, or the page, was lost. */
function useUpload(slot) {
  const [uploading, setUploading] = useState(null)
  const stopping = useRef(new AbortController())
  const at = uploadsOf(slot)
  // To complete an upload again is to ask what became of it.
  const to = {
    at,
    findSent: (uuid, signal) => post(`${at}/${uuid}/complete`, undefined, { signal }),
  }
  return {
    uploading,
    stop: () => stopping.current.abort(),
    discard: (file) => discardSent(file, to),
    /** What has come already is not sent again. */
    async sendOnce(file) {
      const onProgress = (done, total, stall) => setUploading({ done, total, stall })
      try {
        return (await uploadInParts(file, { to, onProgress, signal: stopping.current.signal })).uuid
      } finally {
        setUploading(null)
      }
    },
  }
}

/** Where the parts of files for a slot are announced. */
export const uploadsOf = (slot) => `/deliveries/${slot}/uploads`

/** What was said of the headers. */
function saidOf(answers) {
  const said = Object.entries(answers).filter(([, answer]) => answer !== '')
  if (said.length === 0) return {}
  return {
    mapping: Object.fromEntries(said.map(([header, answer]) => [header, columnOf(header, answer)])),
  }
}

const backName = (name) => name.replace(/\.[^.]*$/, '') + '.xlsx'
