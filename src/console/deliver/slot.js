import { CopyButton } from '../components/copy-button.js'
import { Facts } from '../components/facts.js'
import { FileDrop } from '../components/file-drop.js'
import { State } from '../components/tag.js'
import { Interrupted } from '../components/uploads.js'
import { saveText } from '../core/download.js'
import { showBytes, showNumber, showTime, t } from '../core/language.js'
import { html, useState } from '../core/ui.js'
import { Sending, uploadsOf } from './sending.js'

/** The place of one file: what came, what was said of it, and the way to send the next. */
export function Slot({ slot, asked, onChanged }) {
  const { uuid, period, state, isLate, rows, receivedAt, filename, reason } = slot
  const [file, setFile] = useState(null)
  const [answer, setAnswer] = useState(null)
  const receipt = answer?.receipt ?? slot.receipt
  const done = (sent) => {
    setFile(null)
    setAnswer(sent)
    onChanged()
  }
  const title = period ?? asked.collection
  const isClosed =
    asked.closeAtDeadline && asked.deadline !== null && new Date(asked.deadline) < new Date()
  return html`<section class="panel slot" aria-label=${title}>
    <div class="row">
      <h3 class="grow">${title}</h3>
      ${isLate && html`<span class="tag warn">${t('deliver.late')}</span>`}
      <${State} of=${state} />
    </div>
    ${answer && html`<${Receipt} of=${answer} />`}
    ${
      !answer &&
      filename &&
      html`<${Facts}
        of=${[
          [t('name'), filename],
          [t('rowCount'), showNumber(rows)],
          [t('deliver.receivedAt'), showTime(receivedAt)],
        ]}
      />`
    }
    ${reason && !answer && html`<p class="notice warn">${reason}</p>`}
    ${
      receipt &&
      html`<div class="row">
        <button
          type="button"
          onClick=${() => saveText(receipt, `${title}.jws`, 'application/jose')}
        >
          ${t('deliver.receipt')}
        </button>
        <${CopyButton} of=${t('deliver.receipt')} text=${receipt} />
      </div>`
    }
    ${
      file
        ? html`<${Sending}
            key=${`${file.name}/${file.size}/${file.lastModified}`}
            slot=${uuid}
            file=${file}
            columns=${asked.columns}
            onDone=${done}
            onLeave=${() => setFile(null)}
          />`
        : isClosed
          ? html`<p class="soft">${t('deliver.closed')}</p>`
          : html`<${Interrupted} at=${uploadsOf(uuid)} />
              <${FileDrop}
                label=${t(filename ? 'deliver.dropAgain' : 'deliver.drop')}
                hint=${filename ? t('deliver.replaces') : undefined}
                onFiles=${([chosen]) => setFile(chosen)}
              />`
    }
  </section>`
}

/** What the service answers for: this file, as it came. */
function Receipt({ of: { state, filename, sizeBytes, rows, sha256, receivedAt } }) {
  return html`<div class="notice good" role="status">
    <p><strong>${t(`deliver.sent.${state}`)}</strong></p>
    <${Facts}
      of=${[
        [t('name'), filename],
        [t('rowCount'), showNumber(rows)],
        [t('size'), showBytes(sizeBytes)],
        [t('deliver.receivedAt'), showTime(receivedAt)],
        ['SHA-256', html`<code class="cut-anywhere">${sha256}</code>`],
      ]}
    />
  </div>`
}
