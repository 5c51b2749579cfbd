import { Choice } from '../../components/field.js'
import { FileDrop } from '../../components/file-drop.js'
import { ListOf } from '../../components/list.js'
import { Problem } from '../../components/problem.js'
import { get } from '../../core/api.js'
import { formats, wordsOfFormat } from '../../core/formats.js'
import { listed, showBytes, showNumber, showTime, t } from '../../core/language.js'
import { useAnswer } from '../../core/loading.js'
import { html, useEffect, useState } from '../../core/ui.js'

const WAYS = ['file', 'form', 'document']

/** Where the rows come from: a file of this computer, a form or a card, a document that is stored. */
export function ChooseOrigin({ onChosen }) {
  const [way, setWay] = useState('file')
  return html`<div class="form">
    <div class="row" role="group" aria-label=${t('newSource.from')}>
      ${WAYS.map(
        (name) =>
          html`<button type="button" aria-pressed=${way === name} onClick=${() => setWay(name)}>
            ${t(`newSource.from.${name}`)}
          </button>`,
      )}
    </div>
    ${
      way === 'file' &&
      html`<${FileDrop}
        label=${t('newSource.file')}
        hint=${t('newSource.formats', { formats: listed(formats.map(({ name }) => wordsOfFormat(name))) })}
        multiple
        onFiles=${(files) => onChosen(files.map((file) => ({ kind: 'file', file })))}
      />`
    }
    ${way === 'form' && html`<${ChooseResource} onChosen=${(resource) => onChosen([{ kind: 'resource', ...resource }])} />`}
    ${
      way === 'document' &&
      html`<${ChooseDocument}
        onChosen=${({ uuid, filename }) => onChosen([{ kind: 'document', uuid, title: filename }])}
      />`
    }
  </div>`
}

export function ChooseDocument({ onChosen }) {
  const columns = [
    [t('name'), ({ filename }) => filename],
    [t('size'), ({ size }) => showBytes(size), 'number'],
    [t('createdAt'), ({ createdAt }) => showTime(createdAt), 'time'],
    [
      '',
      (document) =>
        html`<button
          type="button"
          onClick=${() => onChosen(document)}
          aria-label=${`${t('choose')} ${document.filename}`}
        >
          ${t('choose')}
        </button>`,
    ],
  ]
  return html`<${ListOf}
    label=${t('part.documents')}
    question=${(query, signal) => get('/documents', query, signal)}
    columns=${columns}
    search
    empty=${html`<p>${t('documents.empty')}</p>`}
  />`
}

const TYPES = ['form', 'card']

/** `isFormOnly`: a workflow takes forms alone. */
export function ChooseResource({ onChosen, isFormOnly = false }) {
  const { data, problem, askAgain } = useAnswer(
    (signal) => get('/connections', { limit: 100, status: 'ACTIVE' }, signal),
    [],
  )
  const [connectionUuid, setConnection] = useState('')
  const [type, setType] = useState('form')
  useEffect(() => {
    if (data?.items.length > 0) setConnection(data.items[0].uuid)
  }, [data])
  if (problem) return html`<${Problem} problem=${problem} askAgain=${askAgain} />`
  if (!data) return html`<p class="soft" role="status">${t('loading')}</p>`
  if (data.items.length === 0) {
    return html`<div class="empty">
      <p>${t('newSource.noConnection')}</p>
      <a class="button" href="#/connections">${t('part.connections')}</a>
    </div>`
  }
  const columns = [
    [t('name'), ({ title }) => title],
    [t('columnCount'), (item) => showNumber(item.columns.length), 'number'],
    [t('answers'), (item) => showNumber(item.responseCount ?? item.submissionCount), 'number'],
    [t('updatedAt'), ({ updatedAt }) => showTime(updatedAt), 'time'],
    [
      '',
      ({ uuid, title }) =>
        html`<button
          type="button"
          aria-label=${`${t('choose')} ${title}`}
          onClick=${() => onChosen({ connectionUuid, type, uuid, title })}
        >
          ${t('choose')}
        </button>`,
    ],
  ]
  return html`<div class="form">
    <div class="form-line">
      <${Choice}
        label=${t('connection')}
        value=${connectionUuid}
        choices=${data.items.map(({ uuid, name }) => [uuid, name])}
        onChange=${setConnection}
      />
      ${
        !isFormOnly &&
        html`<${Choice}
          label=${t('kind')}
          value=${type}
          choices=${TYPES.map((name) => [name, t(`resource.${name}`)])}
          onChange=${setType}
        />`
      }
    </div>
    ${
      connectionUuid !== '' &&
      html`<${ListOf}
        key=${`${connectionUuid}/${type}`}
        label=${t(`resource.${type}`)}
        question=${(query, signal) =>
          get(
            `/connections/${connectionUuid}/${type === 'form' ? 'browse' : 'cards'}`,
            query,
            signal,
          )}
        columns=${columns}
        search
        empty=${html`<p>${t('newSource.noForm')}</p>`}
      />`
    }
  </div>`
}
