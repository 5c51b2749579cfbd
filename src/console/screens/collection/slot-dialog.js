import { CopyButton } from '../../components/copy-button.js'
import { FormDialog, ShowDialog } from '../../components/dialog.js'
import { Lines } from '../../components/field.js'
import { Problem } from '../../components/problem.js'
import { State } from '../../components/tag.js'
import { get, post } from '../../core/api.js'
import { showBytes, showTime, t } from '../../core/language.js'
import { useDeed } from '../../core/loading.js'
import { linkTo } from '../../core/router.js'
import { html, useState } from '../../core/ui.js'

/** One sender in one period: what came, and what can be done about it. */
export function SlotDialog({ collection, slot: found, onClose, onChanged }) {
  const [slot, setSlot] = useState(found)
  const { state, sender, period, deliveries } = slot
  const path = `/collections/${collection.uuid}/slots/${slot.uuid}`
  const { isBusy, problem, attempt } = useDeed()
  const [isReturning, setReturning] = useState(false)
  const [message, setMessage] = useState('')
  const [overtaken, setOvertaken] = useState(null)
  const [link, setLink] = useState(null)
  const run = async (deed, said, body) => {
    const { done } = await attempt(() => decide(deed, body))
    if (done) onChanged(said)
  }
  /** Where something else has come meanwhile, it is shown here before anything is decided about it. */
  const decide = async (deed, body) => {
    setOvertaken(null)
    try {
      return await post(`${path}/${deed}`, body)
    } catch (error) {
      const now = error.status === 409 ? await lookAgain(collection, slot) : slot
      if (now.loadUuid !== slot.loadUuid || now.state !== state) {
        setSlot(now)
        setReturning(false)
        setOvertaken(error)
      }
      throw error
    }
  }
  const renew = async () => {
    const { done, result } = await attempt(() => post(`${path}/link`))
    if (done) setLink(result.url)
  }
  if (isReturning) {
    return html`<${Return}
      message=${message}
      onMessage=${setMessage}
      deed=${() => decide('return', { message, loadUuid: slot.loadUuid, state })}
      onClose=${() => setReturning(false)}
      onDone=${onChanged}
    />`
  }
  const holds = state === 'received' || state === 'accepted'
  return html`<${ShowDialog}
    title=${[sender.name, period].filter(Boolean).join(' · ')}
    onClose=${onClose}
  >
    <p><${State} of=${state} /> <span class="soft">${sender.email}</span></p>
    ${
      deliveries.length === 0
        ? html`<p class="soft">${t('collection.nothingCame')}</p>`
        : html`<ul class="form">
            ${deliveries.map((one) => html`<${Delivery} key=${one.uuid} of=${one} collection=${collection} />`)}
          </ul>`
    }
    <${Problem} problem=${overtaken ?? problem} />
    ${
      link &&
      html`<p class="notice" role="status">
        ${t('collection.link.text')} <code class="cut-anywhere">${link}</code>
        <${CopyButton} of=${sender.name} text=${link} />
      </p>`
    }
    <div class="row">
      ${
        state === 'received' &&
        html`<button
          type="button"
          class="primary"
          disabled=${isBusy}
          onClick=${() => run('approve', t('collection.approved'), { loadUuid: slot.loadUuid })}
        >
          ${t('collection.approve')}
        </button>`
      }
      ${
        holds &&
        html`<button type="button" disabled=${isBusy} onClick=${() => setReturning(true)}>
          ${t('collection.return')}
        </button>`
      }
      ${
        !holds &&
        html`<button
          type="button"
          disabled=${isBusy}
          onClick=${() => run('remind', t('collection.reminded'))}
        >
          ${t('collection.remindNow')}
        </button>`
      }
      <button type="button" disabled=${isBusy} onClick=${renew}>${t('collection.link')}</button>
    </div>
  <//>`
}

function Delivery({ of: one, collection }) {
  const { state, filename, sizeBytes, rows, receivedAt, loadUuid, reason, receipt } = one
  return html`<li>
    <p>
      <strong>${filename}</strong>${' '}
      <span class="tag">${t(`delivery.${state}`)}</span>
    </p>
    <p class="small soft">
      ${[showTime(receivedAt), showBytes(sizeBytes), t('rows', { count: rows })].join(' · ')}
    </p>
    ${reason && html`<p class="small">${reason}</p>`}
    <div class="row">
      ${
        loadUuid &&
        html`<a href=${linkTo('sources', collection.sourceUuid, 'changes', { to: loadUuid })}
          >${t('collection.changes')}</a
        >`
      }
      ${receipt && html`<${CopyButton} of=${t('deliver.receipt')} text=${receipt} />`}
    </div>
  </li>`
}

/** As it is now; the list of the board may be of another state. */
async function lookAgain({ uuid }, slot) {
  const query = { search: slot.sender.key, limit: 100 }
  const { items } = await get(`/collections/${uuid}/slots`, query)
  return items.find((one) => one.uuid === slot.uuid) ?? slot
}

function Return({ message, onMessage, deed, onClose, onDone }) {
  const fields = (errorAt) =>
    html`<p>${t('collection.return.text')}</p>
      <${Lines}
        label=${t('collection.message')}
        rows="4"
        value=${message}
        onInput=${onMessage}
        error=${errorAt('/message')}
      />`
  return html`<${FormDialog}
    title=${t('collection.return')}
    label=${t('collection.return')}
    isReady=${message.trim() !== ''}
    fields=${fields}
    deed=${deed}
    onClose=${onClose}
    onDone=${() => onDone(t('collection.returned'))}
  />`
}
