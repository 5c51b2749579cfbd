import { Confirm, FormDialog } from '../components/dialog.js'
import { EnterpriseChoice } from '../components/enterprise-choice.js'
import { TextField } from '../components/field.js'
import { Head } from '../components/frame.js'
import { ListOf, StateFilter, useFilter } from '../components/list.js'
import { NameField } from '../components/name-field.js'
import { RowDeeds } from '../components/row-deeds.js'
import { State } from '../components/tag.js'
import { tell, tellProblem } from '../components/toast.js'
import { del, get, patch, post } from '../core/api.js'
import { showTime, t } from '../core/language.js'
import { choosesEnterprise, isSuperAdmin } from '../core/session.js'
import { html, useState } from '../core/ui.js'

const STATES = ['ACTIVE', 'ERROR']

/** Access to forms applications. A key is written and never shown again. */
export default function Connections() {
  const [asked, setAsked] = useState(null)
  const [version, setVersion] = useState(0)
  const [status, setStatus] = useFilter('status', STATES)
  const close = () => setAsked(null)
  const done = (text) => {
    close()
    tell(text)
    setVersion((before) => before + 1)
  }
  const check = async (connection) => {
    try {
      const { total } = await browse(connection)
      tell(t('connection.answers', { name: connection.name, count: total }))
    } catch (problem) {
      tellProblem(problem)
    }
    setVersion((before) => before + 1)
  }
  const columns = [
    [t('name'), ({ name }) => name, undefined, 'name'],
    ...(isSuperAdmin() ? [[t('enterprise'), ({ enterprise }) => enterprise?.name ?? '']] : []),
    [t('address'), ({ baseUrl }) => html`<code>${baseUrl}</code>`],
    [t('key.begins'), ({ apiKeyPrefix }) => html`<code>${apiKeyPrefix}…</code>`],
    [t('state'), (connection) => html`<${Answers} of=${connection} />`],
    [t('validatedAt'), ({ lastValidatedAt }) => showTime(lastValidatedAt), 'time'],
    [
      '',
      (connection) =>
        html`<${RowDeeds}
          of=${connection.name}
          deeds=${[
            [t('connection.try'), () => check(connection)],
            [t('change'), () => setAsked({ connection })],
            [t('delete'), () => setAsked({ removed: connection }), 'danger'],
          ]}
        />`,
    ],
  ]
  const tools = html`<${StateFilter} value=${status} states=${STATES} onChange=${setStatus} />`
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
      several=${{ deeds: deedsOfSeveral(), nameOf: ({ name }) => name }}
      version=${version}
      empty=${t('connections.empty')}
      first=${add}
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

const browse = ({ uuid }) => get(`/connections/${uuid}/browse`, { limit: 1 })

const deedsOfSeveral = () => [
  { words: t('connection.try'), each: browse },
  {
    words: t('delete'),
    kind: 'danger',
    ask: () => t('connections.deleteSeveral'),
    each: ({ uuid }) => del(`/connections/${uuid}`),
  },
]

/** Whether the key works, and whether anything answered when it was last asked. */
function Answers({ of: { status, errorMessage, failure, failedAt } }) {
  if (!failure || status === 'ERROR')
    return html`<${State} of=${status} />
      ${errorMessage && html`<span class="below small">${errorMessage}</span>`}`
  return html`<${State} of="UNREACHABLE" />
    <span class="below small">${failure} · ${showTime(failedAt)}</span>`
}

function ConnectionDialog({ connection, onClose, onDone }) {
  const [name, setName] = useState(connection?.name ?? '')
  const [baseUrl, setBaseUrl] = useState('')
  const [apiKey, setApiKey] = useState('')
  const [enterpriseId, setEnterpriseId] = useState('')
  const create = () =>
    post('/connections', {
      name,
      baseUrl,
      apiKey,
      ...(enterpriseId && { enterpriseId: Number(enterpriseId) }),
    })
  const change = () =>
    patch(`/connections/${connection.uuid}`, { name, ...(apiKey.trim() && { apiKey }) })
  const fields = (errorAt) =>
    html`<${NameField} value=${name} onInput=${setName} errorAt=${errorAt} />
      ${
        !connection &&
        html`<${TextField}
          label=${t('address')}
          type="url"
          required
          placeholder="https://formulaires.example.com"
          value=${baseUrl}
          onInput=${setBaseUrl}
          error=${errorAt('/baseUrl')}
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
        error=${errorAt('/apiKey')}
      />
      ${!connection && choosesEnterprise() && html`<${EnterpriseChoice} value=${enterpriseId} onChange=${setEnterpriseId} error=${errorAt('/enterpriseId')} />`}`
  return html`<${FormDialog}
    title=${connection ? connection.name : t('connection.new')}
    fields=${fields}
    deed=${connection ? change : create}
    onClose=${onClose}
    onDone=${() => onDone(t('saved'))}
  />`
}
