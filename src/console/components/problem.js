import { copyText } from '../core/clipboard.js'
import { hasWords, t } from '../core/language.js'
import { html, useState } from '../core/ui.js'
import { Remedies } from './remedies.js'

/** A refusal in one sentence, what that sentence leaves out, and the number to tell whoever runs the service. */
export function Problem({ problem: error, askAgain, onClose, onRemedy }) {
  if (!error) return null
  const { problem = {} } = error
  const sentence = sentenceOf(error)
  const fields = (problem.errors ?? []).filter(
    ({ pointer, message }) => pointer !== undefined && !sentence.includes(message),
  )
  const cells = (problem.errors ?? []).filter(({ pointer }) => pointer === undefined)
  return html`<div class="notice bad" role="alert">
    <p><strong>${sentence}</strong></p>
    ${problem.title && problem.title !== sentence && html`<p class="small">${problem.title}</p>`}
    ${
      fields.length > 0 &&
      html`<ul class="small">
        ${fields.map(({ pointer, message }) => html`<li><code>${pointer}</code>${' '}${message}</li>`)}
      </ul>`
    }
    ${cells.length > 0 && html`<${CellList} cells=${cells} />`}
    <${Remedies} of=${problem.remedies} onRemedy=${onRemedy} />
    <div class="row">
      ${askAgain && html`<button type="button" onClick=${askAgain}>${t('again')}</button>`}
      ${problem.requestId && html`<${RequestId} id=${problem.requestId} />`}
      ${
        onClose &&
        html`<button type="button" class="plain" onClick=${onClose}>${t('close')}</button>`
      }
    </div>
  </div>`
}

export function sentenceOf({ problem = {}, code, message }) {
  const words = `problem.${code}`
  return problem.detail ?? (hasWords(words) ? t(words) : (problem.title ?? message))
}

function CellList({ cells }) {
  return html`<ul class="small" tabindex="0" aria-label=${t('invalidCells')}>
    ${cells.map(
      ({ row, line, column, value, message }) =>
        html`<li>
          ${line === undefined ? t('atRow', { row }) : t('atLine', { line })}
          ${column && html` · <strong>${column}</strong>`}
          ${value !== undefined && html` · <code>${value}</code>`} ${' '}${message}
        </li>`,
    )}
  </ul>`
}

function RequestId({ id }) {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    setCopied(await copyText(id))
  }
  return html`<span class="small"
    >${t('requestId')}${' '}<code>${id}</code>${' '}<button
      type="button"
      class="plain"
      onClick=${copy}
    >
      ${copied ? t('copied') : t('copy')}
    </button>
  </span>`
}

/** An address that this service does not have yet. */
export const Absent = () => html`<div class="notice" role="status">${t('absent')}</div>`
