import { Confirm } from '../components/dialog.js'
import { CopyButton } from '../components/copy-button.js'
import { Check, TextField } from '../components/field.js'
import { Head } from '../components/frame.js'
import { Table } from '../components/list.js'
import { NameField } from '../components/name-field.js'
import { Absent, Problem } from '../components/problem.js'
import { RowDeeds } from '../components/row-deeds.js'
import { tell } from '../components/toast.js'
import { del, get, isAbsent, post } from '../core/api.js'
import { showTime, t } from '../core/language.js'
import { useAnswer, useDeed } from '../core/loading.js'
import { session } from '../core/session.js'
import { html, useState } from '../core/ui.js'

/** Who one is, the password, and the tokens of one's scripts. */
export default function Account() {
  const { user, expiresAt } = session.value
  return html`<div class="screen">
    <${Head}
      title=${t('part.account')}
      facts=${[
        [t('name'), user.name],
        [t('email'), user.email],
        [t('role'), t(`role.${user.role.type}`)],
        user.enterprise && [t('enterprise'), user.enterprise.name],
        [t('sessionUntil'), showTime(expiresAt)],
      ]}
    />
    <div class="columns">
      <${Password} />
      <${Tokens} />
    </div>
  </div>`
}

function Password() {
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const [revokes, setRevokes] = useState(false)
  const { isBusy, problem, errorAt, attempt } = useDeed()
  const submit = async (event) => {
    event.preventDefault()
    const { done } = await attempt(() =>
      post('/auth/password', { current, new: next, ...(revokes && { revokeTokens: true }) }),
    )
    if (!done) return
    setCurrent('')
    setNext('')
    tell(t('password.changed'))
  }
  return html`<form class="panel" onSubmit=${submit}>
    <h2>${t('password.change')}</h2>
    <${TextField}
      label=${t('password.current')}
      type="password"
      autocomplete="current-password"
      required
      value=${current}
      onInput=${setCurrent}
      error=${errorAt('/current')}
    />
    <${TextField}
      label=${t('password.new')}
      hint=${t('password.hint')}
      type="password"
      autocomplete="new-password"
      minlength="12"
      required
      value=${next}
      onInput=${setNext}
      error=${errorAt('/new')}
    />
    <${Check} label=${t('password.revoke')} checked=${revokes} onChange=${setRevokes} />
    ${isAbsent(problem) ? html`<${Absent} />` : html`<${Problem} problem=${problem} />`}
    <div class="row"><button type="submit" disabled=${isBusy}>${t('save')}</button></div>
  </form>`
}

function Tokens() {
  const { data, problem, askAgain } = useAnswer(
    (signal) => get('/auth/tokens', { limit: 100 }, signal),
    [],
  )
  const [name, setName] = useState('')
  const [expiresOn, setExpiresOn] = useState('')
  const [made, setMade] = useState(null)
  const [removed, setRemoved] = useState(null)
  const making = useDeed()
  const submit = async (event) => {
    event.preventDefault()
    const body = { name, ...(expiresOn && { expiresAt: new Date(expiresOn).toISOString() }) }
    const { done, result } = await making.attempt(() => post('/auth/tokens', body))
    if (!done) return
    setMade(result.token)
    setName('')
    void askAgain()
  }
  const columns = [
    [t('name'), (token) => token.name],
    [t('token.begins'), ({ prefix }) => html`<code>${prefix}…</code>`],
    [t('token.used'), ({ lastUsedAt }) => showTime(lastUsedAt) || '—', 'time'],
    [t('token.expires'), ({ expiresAt }) => showTime(expiresAt) || '—', 'time'],
    [
      '',
      (token) =>
        html`<${RowDeeds}
          of=${token.name}
          deeds=${[[t('delete'), () => setRemoved(token), 'danger']]}
        />`,
    ],
  ]
  const items = data?.items ?? []
  return html`<section class="panel">
    <h2>${t('tokens')}</h2>
    <p class="soft">${t('tokens.about')}</p>
    ${
      isAbsent(problem)
        ? html`<${Absent} />`
        : html`<${Problem} problem=${problem} askAgain=${askAgain} />
            <form class="form-line" onSubmit=${submit}>
              <${NameField} wide value=${name} onInput=${setName} errorAt=${making.errorAt} />
              <${TextField}
                label=${t('token.expires')}
                type="date"
                value=${expiresOn}
                onInput=${setExpiresOn}
                error=${making.errorAt('/expiresAt')}
              />
              <button type="submit" disabled=${making.isBusy}>${t('token.new')}</button>
            </form>
            <${Problem} problem=${making.problem} />
            ${
              made &&
              html`<div class="notice good">
                <div class="row">
                  <p class="grow">${t('token.once')}</p>
                  <${CopyButton} of=${t('tokens')} text=${made} />
                </div>
                <pre tabindex="0">${made}</pre>
              </div>`
            }
            ${items.length > 0 && html`<${Table} label=${t('tokens')} columns=${columns} items=${items} />`}`
    }
    ${
      removed &&
      html`<${Confirm}
        title=${t('token.delete')}
        text=${t('token.delete.text', { name: removed.name })}
        label=${t('delete')}
        deed=${() => del(`/auth/tokens/${removed.uuid}`)}
        onClose=${() => setRemoved(null)}
        onDone=${askAgain}
      />`
    }
  </section>`
}
