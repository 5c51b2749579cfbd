import { Answer } from '../../components/answer.js'
import { Empty } from '../../components/empty.js'
import { Choice } from '../../components/field.js'
import { FileDrop } from '../../components/file-drop.js'
import { ListOf } from '../../components/list.js'
import { RowButton } from '../../components/row-button.js'
import { Switch } from '../../components/switch.js'
import { get } from '../../core/api.js'
import { formats, wordsOfFormat } from '../../core/formats.js'
import { listed, showBytes, showNumber, showTime, t } from '../../core/language.js'
import { useAnswer } from '../../core/loading.js'
import { linkTo } from '../../core/router.js'
import { html, useState } from '../../core/ui.js'

/** Where the rows come from: a file of this computer, a form or a card, a document that is stored. */
export function ChooseOrigin({ onChosen }) {
  const [way, setWay] = useState('file')
  return html`<div class="form">
    <${ChooseWay} ways=${['file', 'form', 'document']} value=${way} onChange=${setWay} />
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

export const ChooseWay = ({ ways, value, onChange }) =>
  html`<${Switch}
    label=${t('newSource.from')}
    value=${value}
    choices=${ways.map((name) => [name, t(`newSource.from.${name}`)])}
    onChange=${onChange}
  />`

export function ChooseDocument({ onChosen }) {
  const columns = [
    [t('name'), ({ filename }) => filename],
    [t('size'), ({ size }) => showBytes(size), 'number'],
    [t('createdAt'), ({ createdAt }) => showTime(createdAt), 'time'],
    [
      '',
      (document) =>
        html`<${RowButton}
          words=${t('choose')}
          of=${document.filename}
          onClick=${() => onChosen(document)}
        />`,
    ],
  ]
  return html`<${ListOf}
    label=${t('part.documents')}
    isInAddress=${false}
    question=${(query, signal) => get('/documents', query, signal)}
    columns=${columns}
    search
    empty=${t('documents.empty')}
  />`
}

const TYPES = ['form', 'card']

/** `isFormOnly`: a workflow takes forms alone. */
export function ChooseResource({ onChosen, isFormOnly = false }) {
  const answer = useAnswer(
    (signal) => get('/connections', { limit: 100, status: 'ACTIVE' }, signal),
    [],
  )
  const show = ({ items }) =>
    items.length === 0
      ? html`<${Empty} of="connections">
          <p>${t('newSource.noConnection')}</p>
          <a class="button primary" href=${linkTo('connections')}>${t('part.connections')}</a>
        <//>`
      : html`<${ResourcesOf} connections=${items} isFormOnly=${isFormOnly} onChosen=${onChosen} />`
  return html`<${Answer} of=${answer} show=${show} />`
}

function ResourcesOf({ connections, onChosen, isFormOnly }) {
  const [connectionUuid, setConnection] = useState(connections[0].uuid)
  const [type, setType] = useState('form')
  const columns = [
    [t('name'), ({ title }) => title],
    [t('columnCount'), (item) => showNumber(item.columns.length), 'number'],
    [t('answers'), (item) => showNumber(item.responseCount ?? item.submissionCount), 'number'],
    [t('updatedAt'), ({ updatedAt }) => showTime(updatedAt), 'time'],
    [
      '',
      ({ uuid, title }) =>
        html`<${RowButton}
          words=${t('choose')}
          of=${title}
          onClick=${() => onChosen({ connectionUuid, type, uuid, title })}
        />`,
    ],
  ]
  return html`<div class="form">
    <div class="form-line">
      <${Choice}
        label=${t('connection')}
        value=${connectionUuid}
        choices=${connections.map(({ uuid, name }) => [uuid, name])}
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
    <${ListOf}
      key=${`${connectionUuid}/${type}`}
      isInAddress=${false}
      label=${t(`resource.${type}`)}
      question=${(query, signal) =>
        get(
          `/connections/${connectionUuid}/${type === 'form' ? 'browse' : 'cards'}`,
          query,
          signal,
        )}
      columns=${columns}
      search
      empty=${t('newSource.noForm')}
    />
  </div>`
}
