import { Confirm, Dialog } from '../components/dialog.js'
import { EnterpriseChoice } from '../components/enterprise-choice.js'
import { TextField } from '../components/field.js'
import { Head } from '../components/frame.js'
import { ListOf } from '../components/list.js'
import { Problem } from '../components/problem.js'
import { State } from '../components/tag.js'
import { tell } from '../components/toast.js'
import { del, get, patch, post } from '../core/api.js'
import { showTime, t } from '../core/language.js'
import { useDeed } from '../core/loading.js'
import { choosesEnterprise } from '../core/session.js'
import { html, useState } from '../core/ui.js'

const STATES = ['ACTIVE', 'ERROR']

/** Access to forms applications. A key is written and never shown again. */
export default function Connections() {
  const [asked, setAsked] = useState(null)
  const [version, setVersion] = useState(0)
  const [status, setStatus] = useState('')
  const close = () => setAsked(null)
  const done = (text) => {
    close()
    tell(text)
    setVersion((before) => before + 1)
  }
  const check = async (connection) => {
    try {
      const { total } = await get(`/connections/${connection.uuid}/browse`, { limit: 1 })
      tell(t('connection.answers', { name: connection.name, count: total }))
    } catch (problem) {
      tell(problem.message, 'bad')
    }
    setVersion((before) => before + 1)
  }
  const columns = [
    [t('name'), ({ name }) => name],
    [t('address'), ({ baseUrl }) => html`<code>${baseUrl}</code>`],
    [t('key.begins'), ({ apiKeyPrefix }) => html`<code>${apiKeyPrefix}…</code>`],
    [
      t('state'),
      ({ status: state, errorMessage }) =>
        html`<${State}
            of=${state}
          />${' '}${errorMessage && html`<span class="field-error">${errorMessage}</span>`}`,
    ],
    [t('validatedAt'), ({ lastValidatedAt }) => showTime(lastValidatedAt), 'time'],
    [
      '',
      (connection) =>
        html`<div class="row">
          <button
            type="button"
            aria-label=${`${t('connection.try')} ${connection.name}`}
            onClick=${() => check(connection)}
          >
            ${t('connection.try')}
          </button>
          <button
            type="button"
            aria-label=${`${t('change')} ${connection.name}`}
            onClick=${() => setAsked({ connection })}
          >
            ${t('change')}
          </button>
          <button
            type="button"
            class="danger"
            aria-label=${`${t('delete')} ${connection.name}`}
            onClick=${() => setAsked({ removed: connection })}
          >
            ${t('delete')}
          </button>
        </div>`,
    ],
  ]
  const tools = html`<select
    aria-label=${t('state')}
    value=${status}
    onChange=${(event) => setStatus(event.currentTarget.value)}
  >
    <option value="">${t('allStates')}</option>
    ${STATES.map((state) => html`<option value=${state}>${t(`state.${state}`)}</option>`)}
  </select>`
  const add = html`<button
    type="button"
    class="primary"
    onClick=${() => setAsked({ connection: null })}
  >
    ${t('connection.new')}
  </button>`
  return html`<div class="screen">
    <${Head} title=${t('part.connections')} about=${t('connections.about')}>${add}<//>
    <${ListOf}
      label=${t('part.connections')}
      question=${(query, signal) => get('/connections', query, signal)}
      filters=${{ status }}
      columns=${columns}
      search
      tools=${tools}
      version=${version}
      empty=${html`<p>${t('connections.empty')}</p>
        ${add}`}
    />
    ${asked && 'connection' in asked && html`<${ConnectionDialog} connection=${asked.connection} onClose=${close} onDone=${done} />`}
    ${
      asked?.removed &&
      html`<${Confirm}
        title=${t('connection.delete')}
        text=${t('connection.delete.text', { name: asked.removed.name })}
        label=${t('delete')}
        deed=${() => del(`/connections/${asked.removed.uuid}`)}
        onClose=${close}
        onDone=${() => done(t('deleted'))}
      />`
    }
  </div>`
}

function ConnectionDialog({ connection, onClose, onDone }) {
  const [name, setName] = useState(connection?.name ?? '')
  const [baseUrl, setBaseUrl] = useState('')
  const [apiKey, setApiKey] = useState('')
  const [enterpriseId, setEnterpriseId] = useState('')
  const { isBusy, problem, attempt } = useDeed()
  const submit = async (event) => {
    event.preventDefault()
    const { done } = await attempt(() =>
      connection
        ? patch(`/connections/${connection.uuid}`, { name, ...(apiKey.trim() && { apiKey }) })
        : post('/connections', {
            name,
            baseUrl,
            apiKey,
            ...(enterpriseId && { enterpriseId: Number(enterpriseId) }),
          }),
    )
    if (done) onDone(t('saved'))
  }
  return html`<${Dialog}
    title=${connection ? connection.name : t('connection.new')}
    onClose=${onClose}
  >
    <form class="form" onSubmit=${submit}>
      <${TextField}
        label=${t('name')}
        required
        value=${name}
        onInput=${setName}
        error=${problem?.at?.('/name')}
      />
      ${
        !connection &&
        html`<${TextField}
          label=${t('address')}
          type="url"
          required
          placeholder="https://formulaires.example.com"
          value=${baseUrl}
          onInput=${setBaseUrl}
          error=${problem?.at?.('/baseUrl')}
        />`
      }
      <${TextField}
        label=${connection ? t('key.new') : t('key')}
        type="password"
        autocomplete="off"
        required=${!connection}
        hint=${connection ? t('key.keep') : undefined}
        value=${apiKey}
        onInput=${setApiKey}
        error=${problem?.at?.('/apiKey')}
      />
      ${!connection && choosesEnterprise() && html`<${EnterpriseChoice} value=${enterpriseId} onChange=${setEnterpriseId} error=${problem?.at?.('/enterpriseId')} />`}
      <${Problem} problem=${problem} />
      <div class="row row-end">
        <button type="button" onClick=${onClose}>${t('cancel')}</button>
        <button type="submit" class="primary" disabled=${isBusy}>${t('save')}</button>
      </div>
    </form>
  <//>`
}
