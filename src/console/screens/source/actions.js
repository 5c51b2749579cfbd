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
import { filterQuery, readFilters } from '../../core/row-filters.js'
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

/** The rows in sight, or all of them: conditions of the rows stand in the address. */
function ExportDialog({ source, onClose }) {
  const [format, setFormat] = useState('csv')
  const [conditions] = useState(() => readFilters(route.value.query.where, source.columns))
  const [which, setWhich] = useState(conditions.length > 0 ? 'passing' : 'all')
  const downloading = useRef(null)
  const passing = useAnswer(
    async (signal) => {
      if (conditions.length === 0) return null
      const query = { limit: 1, ...filterQuery(conditions) }
      return get(`/sources/${source.uuid}/data`, query, signal)
    },
    [source.uuid],
  )
  const deed = () => {
    const { signal } = (downloading.current = new AbortController())
    const written = QUERIES[format] ?? { format }
    const query = { ...written, ...(which === 'passing' && filterQuery(conditions)) }
    const name = `${source.tableName}.${written.format}`
    return download(`/sources/${source.uuid}/export`, query, name, signal)
  }
  const count = which === 'all' ? source.rowCount : passing.data?.total
  const fields = () =>
    html`${
        conditions.length > 0 &&
        html`<${Choice}
          label=${t('export.which')}
          value=${which}
          choices=${['passing', 'all'].map((one) => [one, t(`export.which.${one}`)])}
          onChange=${setWhich}
        />`
      }
      ${!passing.problem && html`<p>${count === undefined ? t('loading') : t('export.rows', { count })}</p>`}
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
