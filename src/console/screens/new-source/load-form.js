import { EnterpriseChoice } from '../../components/enterprise-choice.js'
import { Choice, TextField } from '../../components/field.js'
import { NameField } from '../../components/name-field.js'
import { LongWork, useLongWork } from '../../components/long-work.js'
import { Problem } from '../../components/problem.js'
import { tell } from '../../components/toast.js'
import { post, sendForm } from '../../core/api.js'
import { asJob } from '../../core/jobs.js'
import { t } from '../../core/language.js'
import { useDeed } from '../../core/loading.js'
import { goTo } from '../../core/router.js'
import { choosesEnterprise } from '../../core/session.js'
import { uploadInParts } from '../../core/uploads.js'
import { html, useEffect, useRef, useState } from '../../core/ui.js'
import { isLarge, resourceQuery } from './ask-preview.js'
import { dropDraft } from './drafts.js'

const POLICIES = ['reject', 'null', 'skip']

/** The name of the table, what to do about cells that do not fit, and the loading itself. */
export function LoadForm({ draft, options, columns, onTake, onRefused, onRemedy }) {
  const [name, setName] = useState(draft.name)
  const [tableName, setTableName] = useState(draft.tableName)
  const [enterpriseId, setEnterpriseId] = useState('')
  const work = useLongWork()
  const { isBusy, problem, errorAt, attempt } = useDeed()
  const isShown = useRef(true)
  useEffect(
    () => () => {
      isShown.current = false
    },
    [],
  )
  const asksEnterprise = choosesEnterprise() && draft.origin.kind !== 'resource'

  const load = async (said) => {
    onRefused([])
    const given = {
      name: name.trim(),
      tableName: tableName.trim(),
      ...(asksEnterprise && enterpriseId !== '' && { enterpriseId: Number(enterpriseId) }),
      options:
        said.columns.length === 0 ? said.options : { ...said.options, columns: said.columns },
    }
    const { done, result } = await attempt(async () => {
      try {
        return await work.run((sending) => begin(draft, given, sending))
      } catch (error) {
        onRefused((error.problem?.errors ?? []).filter(({ row }) => row !== undefined))
        throw error
      }
    })
    if (!done) return
    tell(t('newSource.done', { name: result.name }))
    dropDraft(draft.id)
    // Whoever has gone on to something else stays there.
    if (isShown.current) goTo('sources', result.uuid)
  }
  const submit = (event) => {
    event.preventDefault()
    return load({ options, columns })
  }
  return html`<form class="panel" onSubmit=${submit} aria-label=${t('newSource.load')}>
    <div class="form-line">
      <${NameField} wide value=${name} onInput=${setName} errorAt=${errorAt} />
      <${TextField}
        wide
        label=${t('tableName')}
        class="mono"
        required
        pattern="\\s*[a-z_][a-z0-9_]{0,62}\\s*"
        title=${t('tableName.hint')}
        value=${tableName}
        onInput=${setTableName}
        error=${errorAt('/tableName')}
      />
      ${asksEnterprise && html`<${EnterpriseChoice} value=${enterpriseId} onChange=${setEnterpriseId} error=${errorAt('/enterpriseId')} />`}
      <${Choice}
        label=${t('onInvalid')}
        value=${options.onInvalid}
        choices=${POLICIES.map((policy) => [policy, t(`onInvalid.${policy}`)])}
        onChange=${(value) => onTake({ onInvalid: value })}
      />
      <button type="submit" class="primary" disabled=${isBusy}>${t('newSource.load')}</button>
    </div>
    <${LongWork} of=${work} label=${t('newSource.loading')} onCancel=${work.stop} />
    ${isBusy && !work.sent && !work.job && html`<p class="soft" role="status">${t('loading')}</p>`}
    <${Problem} problem=${problem} onRemedy=${(remedy) => load(onRemedy(remedy))} />
  </form>`
}

/** Gives the job that loads; a small file is sent with the request, a large one beforehand, in parts. */
async function begin(draft, given, { signal, onProgress }) {
  const { origin } = draft
  if (origin.kind === 'resource') {
    const { columns, nullValues, datePlaceholders, timezone, decimal, onInvalid } = given.options
    const options = JSON.parse(
      JSON.stringify({ columns, nullValues, datePlaceholders, timezone, decimal, onInvalid }),
    )
    const body = { source: 'api', ...given, options, ...resourceQuery(origin) }
    return post('/sources', body, { headers: asJob, signal })
  }
  if (origin.kind === 'file' && isLarge(origin.file)) {
    draft.documentUuid ??= (await uploadInParts(origin.file, { onProgress, signal })).uuid
  }
  const documentUuid = origin.kind === 'document' ? origin.uuid : draft.documentUuid
  if (documentUuid !== null) {
    return post('/sources', { source: 'file', ...given, documentUuid }, { headers: asJob, signal })
  }
  const form = new FormData()
  form.append('source', 'file')
  for (const [field, value] of Object.entries(given)) {
    form.append(field, typeof value === 'object' ? JSON.stringify(value) : String(value))
  }
  form.append('file', origin.file, origin.file.name)
  return sendForm('/sources', form, { headers: asJob, onProgress, signal })
}
