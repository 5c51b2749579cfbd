import { Confirm, FormDialog } from '../components/dialog.js'
import { Choice, Lines } from '../components/field.js'
import { Head } from '../components/frame.js'
import { ListOf } from '../components/list.js'
import { NameField } from '../components/name-field.js'
import { RowDeeds } from '../components/row-deeds.js'
import { Switch } from '../components/switch.js'
import { tell } from '../components/toast.js'
import { del, get, post, ProblemError } from '../core/api.js'
import { showNumber, showTime, t } from '../core/language.js'
import { useAnswer } from '../core/loading.js'
import { goTo, linkTo } from '../core/router.js'
import { html, useState } from '../core/ui.js'

/** What files of several sources are expected to look like. */
export default function Shapes() {
  const [isNew, setNew] = useState(false)
  const [removed, setRemoved] = useState(null)
  const [version, setVersion] = useState(0)
  const columns = [
    [
      t('name'),
      ({ uuid, name }) => html`<a href=${linkTo('shapes', uuid)}>${name}</a>`,
      undefined,
      'name',
    ],
    [t('columnCount'), (shape) => showNumber(shape.columns.length), 'number'],
    [t('rules'), (shape) => showNumber(rulesOf(shape)), 'number'],
    [t('updatedAt'), ({ updatedAt }) => showTime(updatedAt), 'time'],
    [
      '',
      (shape) =>
        html`<${RowDeeds}
          of=${shape.name}
          deeds=${[[t('delete'), () => setRemoved(shape), 'danger']]}
        />`,
    ],
  ]
  const add = html`<button type="button" class="primary" onClick=${() => setNew(true)}>
    ${t('shapes.new')}
  </button>`
  return html`<div class="screen">
    <${Head} title=${t('part.shapes')} about=${t('shapes.about')}>${add}<//>
    <${ListOf}
      label=${t('part.shapes')}
      question=${(query, signal) => get('/shapes', query, signal)}
      columns=${columns}
      several=${{ deeds: deedsOfSeveral(), nameOf: ({ name }) => name }}
      version=${version}
      search
      empty=${t('shapes.empty')}
      first=${add}
    />
    ${
      isNew &&
      html`<${NewShape}
        onClose=${() => setNew(false)}
        onDone=${({ uuid, warnings }) => {
          for (const warning of warnings) tell(warning, 'warn')
          goTo('shapes', uuid)
        }}
      />`
    }
    ${
      removed &&
      html`<${Confirm}
        title=${t('shapes.delete')}
        text=${t('shapes.delete.text', { name: removed.name })}
        label=${t('delete')}
        deed=${() => del(`/shapes/${removed.uuid}`)}
        onClose=${() => setRemoved(null)}
        onDone=${() => {
          tell(t('deleted'))
          setVersion((before) => before + 1)
        }}
      />`
    }
  </div>`
}

const deedsOfSeveral = () => [
  {
    words: t('delete'),
    kind: 'danger',
    ask: () => t('shapes.deleteSeveral'),
    each: ({ uuid }) => del(`/shapes/${uuid}`),
  },
]

const rulesOf = ({ columns, rules }) =>
  columns.reduce((sum, column) => sum + column.rules.length, rules.length)

const WAYS = ['source', 'tableSchema']

function NewShape({ onClose, onDone }) {
  const [name, setName] = useState('')
  const [way, setWay] = useState('source')
  const [fromSource, setFromSource] = useState('')
  const [schema, setSchema] = useState('')
  const { data } = useAnswer((signal) => get('/sources', { limit: 100 }, signal), [])
  const sources = data?.items ?? []
  const deed = () => {
    const from = way === 'source' ? { fromSource } : { tableSchema: readSchema(schema) }
    return post('/shapes', { name: name.trim(), ...from })
  }
  const fields = (errorAt) =>
    html`<${NameField} value=${name} onInput=${setName} errorAt=${errorAt} />
      <${Switch}
        label=${t('newSource.from')}
        value=${way}
        choices=${WAYS.map((one) => [one, t(`shapes.from.${one}`)])}
        onChange=${setWay}
      />
      ${
        way === 'source'
          ? html`<${Choice}
              label=${t('shapes.from.source')}
              value=${fromSource}
              choices=${[['', t('question.choose')], ...sources.map((source) => [source.uuid, source.name])]}
              onChange=${setFromSource}
              error=${errorAt('/fromSource')}
            />`
          : html`<${Lines}
              label=${t('shapes.from.tableSchema')}
              class="mono"
              rows="8"
              value=${schema}
              onInput=${setSchema}
              error=${errorAt('/tableSchema')}
            />`
      }`
  return html`<${FormDialog}
    title=${t('shapes.new')}
    isReady=${name.trim() !== '' && (way === 'source' ? fromSource !== '' : schema.trim() !== '')}
    fields=${fields}
    deed=${deed}
    onClose=${onClose}
    onDone=${onDone}
  />`
}

function readSchema(text) {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new ProblemError({ detail: t('shapes.notJson', { because: error.message }), status: 400 })
  }
}
