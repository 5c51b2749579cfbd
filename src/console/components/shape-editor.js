import { patch } from '../core/api.js'
import { download } from '../core/download.js'
import { showNumber, t } from '../core/language.js'
import { onlyIf } from '../core/mapping.js'
import { wordsOfRule } from '../core/rules.js'
import { html, useState } from '../core/ui.js'
import { FormDialog } from './dialog.js'
import { Choice, Lines, TextField } from './field.js'
import { Table } from './list.js'
import { RowDeeds } from './row-deeds.js'
import { RowRulesDialog, wordsOfRowRule } from './row-rules-dialog.js'
import { RulesDialog } from './rules-dialog.js'
import { tell, tellProblem } from './toast.js'

const TYPES = ['text', 'number', 'date', 'boolean', 'json']
const DATE_FORMATS = ['DD/MM/YYYY', 'MM/DD/YYYY', 'YYYY-MM-DD', 'DD-MM-YYYY']
const UNKNOWN = ['add', 'leave', 'ask', 'refuse']
const MISSING = ['empty', 'ask', 'refuse']
const TEMPLATES = ['xlsx', 'csv']

/** What files are expected to look like; `path` is where that is changed. */
export function ShapeEditor({ shape: asked, path, sourceUuid, onChanged }) {
  const [answered, setAnswered] = useState(asked)
  // A change made here is known before it has been asked for again.
  const isNewer = answered.uuid === asked.uuid && answered.version > asked.version
  const shape = isNewer ? answered : asked
  const [open, setOpen] = useState(null)
  const close = () => setOpen(null)
  const { columns } = shape
  // Who looked at an earlier version is told so, and undoes nothing.
  const change = async (body) => {
    setAnswered(await patch(path, body, { headers: onlyIf(shape) }))
  }
  const done = () => {
    close()
    tell(t('saved'))
    onChanged()
  }
  const attempt = async (body) => {
    try {
      await change(body)
      done()
    } catch (problem) {
      tellProblem(problem)
      onChanged()
    }
  }
  const withColumn = (at, changed) =>
    change({ columns: columns.with(at, { ...columns[at], ...changed }) })
  const move = (at, to) => {
    const others = columns.toSpliced(at, 1)
    return attempt({ columns: others.toSpliced(to, 0, columns[at]) })
  }
  const shown = [
    [
      t('name'),
      ({ name, column, description }) =>
        html`${name}<br /><span class="small soft"><code>${column}</code> ${description}</span>`,
    ],
    [
      t('type'),
      ({ type, dateFormat, pattern }) =>
        [t(`type.${type}`), dateFormat ?? pattern].filter(Boolean).join(' · '),
    ],
    [t('shape.aliases'), ({ aliases }) => aliases.join(', ')],
    [t('rules'), ({ rules }) => rules.map(wordsOfRule).join(' · '), 'long'],
    [
      '',
      (column) => {
        const at = columns.indexOf(column)
        return html`<${RowDeeds}
          of=${column.name}
          deeds=${[
            [t('rules'), () => setOpen({ name: 'rules', at })],
            [t('change'), () => setOpen({ name: 'column', at })],
            at > 0 && [t('shape.up'), () => move(at, at - 1)],
            at < columns.length - 1 && [t('shape.down'), () => move(at, at + 1)],
          ]}
        />`
      },
    ],
  ]
  const template = (format) => {
    const name = `${shape.name ?? t('shape.template')}.${format}`
    return download(`/shapes/${shape.uuid}/template`, { format }, name).catch(tellProblem)
  }
  const column = columns[open?.at]
  return html`<div class="form-line">
      <${Choice}
        label=${t('shape.unknown')}
        value=${shape.unknown}
        choices=${UNKNOWN.map((name) => [name, t(`shape.unknown.${name}`)])}
        onChange=${(unknown) => attempt({ unknown })}
      />
      <${Choice}
        label=${t('shape.missing')}
        value=${shape.missing}
        choices=${MISSING.map((name) => [name, t(`shape.missing.${name}`)])}
        onChange=${(missing) => attempt({ missing })}
      />
      ${TEMPLATES.map(
        (format) =>
          html`<button type="button" onClick=${() => void template(format)}>
            ${t(`shape.template.${format}`)}
          </button>`,
      )}
      <button type="button" onClick=${() => setOpen({ name: 'rows' })}>${t('rowRules')}</button>
      <span class="small soft">${t('shape.version', { number: showNumber(shape.version) })}</span>
    </div>
    ${shape.left.length > 0 && html`<p class="soft">${t('shape.left', { names: shape.left.join(', ') })}</p>`}
    ${
      shape.rules.length > 0 &&
      html`<p class="soft">
        ${t('rowRules.are', { rules: shape.rules.map(wordsOfRowRule).join(' · ') })}
      </p>`
    }
    <${Table} label=${t('shape.columns')} columns=${shown} items=${columns} />
    ${
      open?.name === 'column' &&
      html`<${ColumnDialog}
        column=${column}
        isOnly=${columns.length === 1}
        deed=${(changed) => (changed === null ? change({ columns: columns.toSpliced(open.at, 1) }) : withColumn(open.at, changed))}
        at=${open.at}
        onClose=${close}
        onDone=${done}
      />`
    }
    ${
      open?.name === 'rows' &&
      html`<${RowRulesDialog}
        shape=${shape}
        deed=${(rules) => change({ rules })}
        onClose=${close}
        onDone=${done}
      />`
    }
    ${
      open?.name === 'rules' &&
      html`<${RulesDialog}
        column=${column}
        sourceUuid=${sourceUuid}
        deed=${(rules) => withColumn(open.at, { rules })}
        onClose=${close}
        onDone=${done}
      />`
    }`
}

function ColumnDialog({ column, isOnly, at, deed, onClose, onDone }) {
  const [given, setGiven] = useState({
    name: column.name,
    type: column.type,
    dateFormat: column.dateFormat ?? '',
    description: column.description ?? '',
    aliases: column.aliases.join('\n'),
    leaves: false,
  })
  const set = (name) => (value) => setGiven({ ...given, [name]: value })
  const save = () => {
    const { leaves, aliases, dateFormat, type, description, name } = given
    if (leaves) return deed(null)
    const isDate = type === 'date'
    return deed({
      name,
      type,
      // One or the other; a pattern stays while nobody chooses a format.
      dateFormat: isDate && dateFormat ? dateFormat : undefined,
      pattern: isDate && !dateFormat ? column.pattern : undefined,
      description: description.trim() === '' ? undefined : description.trim(),
      aliases: linesOf(aliases),
    })
  }
  const errorAt = (found, name) => found(`/columns/${at}/${name}`)
  const fields = (found) =>
    html`<div class="form-line">
        <${TextField}
          wide
          label=${t('name')}
          hint=${t('shape.name.hint', { column: column.column })}
          required
          value=${given.name}
          onInput=${set('name')}
          error=${errorAt(found, 'name')}
        />
        <${Choice}
          label=${t('type')}
          value=${given.type}
          choices=${TYPES.map((name) => [name, t(`type.${name}`)])}
          onChange=${set('type')}
          error=${errorAt(found, 'type')}
        />
        ${
          given.type === 'date' &&
          html`<${Choice}
            label=${t('dateFormat')}
            value=${given.dateFormat}
            choices=${[['', column.pattern ?? '—'], ...DATE_FORMATS.map((name) => [name, name])]}
            onChange=${set('dateFormat')}
          />`
        }
      </div>
      <${TextField}
        label=${t('description')}
        maxlength="1000"
        value=${given.description}
        onInput=${set('description')}
      />
      <${Lines}
        label=${t('shape.aliases')}
        hint=${t('shape.aliases.hint')}
        rows="4"
        value=${given.aliases}
        onInput=${set('aliases')}
        error=${errorAt(found, 'aliases')}
      />
      ${
        !isOnly &&
        html`<label class="check"
          ><input
            type="checkbox"
            checked=${given.leaves}
            onChange=${(event) => set('leaves')(event.currentTarget.checked)}
          />
          ${t('shape.leaves', { name: column.name })}</label
        >`
      }`
  return html`<${FormDialog}
    title=${column.name}
    kind=${given.leaves ? 'danger' : 'primary'}
    fields=${fields}
    deed=${save}
    onClose=${onClose}
    onDone=${onDone}
  />`
}

const linesOf = (text) => [
  ...new Set(
    text
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean),
  ),
]
