import { Brand } from '../components/brand.js'
import { Problem } from '../components/problem.js'
import { Switch } from '../components/switch.js'
import { Toasts } from '../components/toast.js'
import { askAs, get } from '../core/api.js'
import { language, LANGUAGES, showTime, speak, t } from '../core/language.js'
import { useAnswer } from '../core/loading.js'
import { effect, html, render, signal, useEffect } from '../core/ui.js'
import { Asked } from './asked.js'
import { Slot } from './slot.js'

const secretInAddress = () => location.hash.slice(1)

/** It stands behind the `#`, which no browser sends, and goes from here into one header alone. */
const secret = signal(secretInAddress())

addEventListener('hashchange', () => {
  secret.value = secretInAddress()
})

askAs({ headers: () => ({ 'x-delivery-token': secret.value }), onShutOut: () => undefined })

effect(() => {
  document.documentElement.lang = language.value
})

/** What a sender is asked for, without an account. */
function Page() {
  const { data, problem, askAgain } = useAnswer(
    (stopped) => get('/deliveries', {}, stopped),
    [secret.value, language.value],
  )
  return html`<header class="sender-head">
      <${Brand} />
      <${Switch}
        label=${t('language')}
        value=${language.value}
        choices=${LANGUAGES.map((name) => [name, t(`language.${name}`)])}
        onChange=${speak}
      />
    </header>
    <main class="sender">
      ${
        problem?.status === 401
          ? html`<${DeadLink} />`
          : html`<${Problem} problem=${problem} askAgain=${askAgain} />`
      }
      ${
        data
          ? html`<${Deliveries} asked=${data} onChanged=${askAgain} />`
          : !problem && html`<p class="soft loading" role="status">${t('loading')}</p>`
      }
    </main>`
}

function DeadLink() {
  useTitle(t('deliver.deadLink'))
  return html`<div class="empty" role="alert">
    <h1>${t('deliver.deadLink')}</h1>
    <p>${t('deliver.deadLink.text')}</p>
  </div>`
}

function Deliveries({ asked, onChanged }) {
  const { collection, sender, message, deadline, closeAtDeadline, approval, slots } = asked
  useTitle(collection)
  return html`<div>
      <h1>${collection}</h1>
      <p class="soft">${sender.name}</p>
    </div>
    ${message && html`<p class="said">${message}</p>`}
    ${
      deadline &&
      html`<p>
        <strong>${t('deliver.until', { time: showTime(deadline) })}</strong>
        ${closeAtDeadline && html` ${t('deliver.closes')}`}
      </p>`
    }
    ${approval && html`<p class="soft">${t('deliver.approval')}</p>`}
    <${Asked} asked=${asked} />
    <h2>${t('deliver.files')}</h2>
    ${slots.map(
      (slot) =>
        html`<${Slot} key=${slot.uuid} slot=${slot} asked=${asked} onChanged=${onChanged} />`,
    )}`
}

function useTitle(title) {
  useEffect(() => {
    document.title = title
  }, [title])
}

render(html`<${Page} /><${Toasts} />`, document.querySelector('#deliver'))
