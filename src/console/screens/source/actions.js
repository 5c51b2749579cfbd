import { Confirm, FormDialog } from '../../components/dialog.js'
import { Choice, TextField } from '../../components/field.js'
import { NameField } from '../../components/name-field.js'
import { More } from '../../components/row-deeds.js'
import { tell } from '../../components/toast.js'
import { del, get, patch } from '../../core/api.js'
import { download } from '../../core/download.js'
import { t } from '../../core/language.js'
import { useAnswer } from '../../core/loading.js'
import { goTo, route } from '../../core/router.js'
import { filterQuery, readLook, sortQuery } from '../../core/row-filters.js'
import { html, useRef, useState } from '../../core/ui.js'
import { ReloadDialog } from './reload.js'

/** What can be done with a source as a whole. */
export function SourceActions({ source, onChanged }) {
  const [open, setOpen] = useState(null)
  const close = () => setOpen(null)
  const done = (text) => {
    close()
    tell(text)
    onChanged()
  }
  return html`
    <button type="button" class="primary" onClick=${() => setOpen('reload')}>${t('reload')}</button>
    <button type="button" onClick=${() => setOpen('export')}>${t('export')}</button>
    <${More}
      of=${source.name}
      deeds=${[
        [t('settings'), () => setOpen('change')],
        [t('delete'), () => setOpen('delete'), 'danger'],
      ]}
    />
    ${open === 'reload' && html`<${ReloadDialog} source=${source} onClose=${close} onDone=${done} />`}
    ${open === 'export' && html`<${ExportDialog} source=${source} onClose=${close} />`}
    ${open === 'change' && html`<${ChangeDialog} source=${source} onClose=${close} onDone=${done} />`}
    ${
      open === 'delete' &&
      html`<${Confirm}
        title=${t('source.delete')}
        text=${t('source.delete.text', { name: source.name, table: source.tableName })}
        label=${t('delete')}
        typed=${source.tableName}
        deed=${() => del(`/sources/${source.uuid}`)}
        onClose=${close}
        onDone=${() => {
          tell(t('source.deleted', { name: source.name }))
          goTo('sources')
        }}
      />`
    }
  `
}

const FORMATS = ['csv', 'csv-fr', 'xlsx', 'ndjson', 'parquet']
const QUERIES = { 'csv-fr': { format: 'csv', preset: 'excel-fr' } }

/** The rows as they are shown, or the whole table: how they are looked at stands in the address. */
function ExportDialog({ source, onClose }) {
  const [format, setFormat] = useState('csv')
  const [look] = useState(() => readLook(route.value.query, source.columns))
  const isChanged = look.filters.length > 0 || look.sort !== null || look.hidden.length > 0
  const [which, setWhich] = useState(isChanged ? 'shown' : 'all')
  const downloading = useRef(null)
  const passing = useAnswer(
    async (signal) => {
      if (look.filters.length === 0) return { total: source.rowCount }
      const query = { limit: 1, ...filterQuery(look.filters) }
      return get(`/sources/${source.uuid}/data`, query, signal)
    },
    [source.uuid],
  )
  const { filters, sort, hidden } = which === 'all' ? readLook({}, source.columns) : look
  const names = source.columns.map(({ name }) => name).filter((name) => !hidden.includes(name))
  const deed = () => {
    const { signal } = (downloading.current = new AbortController())
    const written = QUERIES[format] ?? { format }
    const query = {
      ...written,
      ...filterQuery(filters),
      ...sortQuery(sort),
      ...(hidden.length > 0 && { columns: names }),
    }
    const name = `${source.tableName}.${written.format}`
    return download(`/sources/${source.uuid}/export`, query, name, signal)
  }
  const count = which === 'all' ? source.rowCount : passing.data?.total
  const told = () =>
    [
      t('export.rows', { count }),
      sort ? t('export.inOrder', { name: sort.name }) : t('export.asLoaded'),
      hidden.length > 0 && t('export.without', { count: hidden.length }),
    ]
      .filter(Boolean)
      .join(', ')
  const fields = () =>
    html`${
        isChanged &&
        html`<${Choice}
          label=${t('export.which')}
          value=${which}
          choices=${['shown', 'all'].map((one) => [one, t(`export.which.${one}`)])}
          onChange=${setWhich}
        />`
      }
      ${!passing.problem && html`<p>${count === undefined ? t('loading') : `${told()}.`}</p>`}
      <${Choice}
        label=${t('format')}
        value=${format}
        choices=${FORMATS.map((name) => [name, t(`export.${name}`)])}
        onChange=${setFormat}
      />`
  return html`<${FormDialog}
    title=${t('export')}
    label=${t('download')}
    fields=${fields}
    deed=${deed}
    onStop=${() => downloading.current?.abort()}
    onClose=${onClose}
    onDone=${onClose}
  />`
}

function ChangeDialog({ source, onClose, onDone }) {
  const [name, setName] = useState(source.name)
  const [keepLoads, setKeepLoads] = useState(String(source.keepLoads))
  const deed = () => {
    // Left alone it goes on following the setting of the service.
    const kept = Number(keepLoads)
    const change = { name: name.trim(), ...(kept !== source.keepLoads && { keepLoads: kept }) }
    return patch(`/sources/${source.uuid}`, change)
  }
  const fields = (errorAt) =>
    html`<${NameField} value=${name} onInput=${setName} errorAt=${errorAt} />
      <${TextField}
        label=${t('keepLoads')}
        hint=${t('keepLoads.hint')}
        type="number"
        min="0"
        max="20"
        required
        value=${keepLoads}
        onInput=${setKeepLoads}
        error=${errorAt('/keepLoads')}
      />`
  return html`<${FormDialog}
    title=${t('settings')}
    fields=${fields}
    deed=${deed}
    onClose=${onClose}
    onDone=${() => onDone(t('saved'))}
  />`
}
