import { EnterpriseChoice } from '../../components/enterprise-choice.js'
import { Choice, TextField } from '../../components/field.js'
import { Problem } from '../../components/problem.js'
import { JobProgress, Progress } from '../../components/progress.js'
import { tell } from '../../components/toast.js'
import { post, sendForm } from '../../core/api.js'
import { asJob, cancelJob, resultOf } from '../../core/jobs.js'
import { t } from '../../core/language.js'
import { useDeed } from '../../core/loading.js'
import { goTo } from '../../core/router.js'
import { choosesEnterprise } from '../../core/session.js'
import { uploadInParts } from '../../core/uploads.js'
import { html, useRef, useState } from '../../core/ui.js'
import { isLarge, resourceQuery } from './ask-preview.js'
import { dropDraft } from './drafts.js'

const POLICIES = ['reject', 'null', 'skip']

/** The name of the table, what to do about cells that do not fit, and the loading itself. */
export function LoadForm({ draft, options, columns, onTake, onRefused }) {
  const [name, setName] = useState(draft.name)
  const [tableName, setTableName] = useState(draft.tableName)
  const [enterpriseId, setEnterpriseId] = useState('')
  const [sent, setSent] = useState(null)
  const [job, setJob] = useState(null)
  const stop = useRef(null)
  const { isBusy, problem, attempt } = useDeed()
  const asksEnterprise = choosesEnterprise() && draft.origin.kind !== 'resource'

  const submit = async (event) => {
    event.preventDefault()
    onRefused([])
    stop.current = new AbortController()
    const given = {
      name: name.trim(),
      tableName: tableName.trim(),
      ...(asksEnterprise && enterpriseId !== '' && { enterpriseId: Number(enterpriseId) }),
      options: columns.length === 0 ? options : { ...options, columns },
    }
    const { done, result } = await attempt(async () => {
      try {
        const { signal } = stop.current
        const begun = await begin(draft, given, {
          signal,
          onProgress: (bytes, total, isLost) => setSent({ bytes, total, isLost }),
        })
        setSent(null)
        return await resultOf(begun, setJob, signal)
      } catch (error) {
        onRefused((error.problem?.errors ?? []).filter(({ row }) => row !== undefined))
        throw error
      } finally {
        setSent(null)
        setJob(null)
      }
    })
    if (!done) return
    tell(t('newSource.done', { name: result.name }))
    dropDraft(draft.id)
    goTo('sources', result.uuid)
  }
  const cancel = () => (job ? void cancelJob(job).catch(() => undefined) : stop.current?.abort())

  return html`<form class="panel" onSubmit=${submit} aria-label=${t('newSource.load')}>
    <div class="form-line">
      <${TextField}
        wide
        label=${t('name')}
        required
        maxlength="255"
        value=${name}
        onInput=${setName}
        error=${problem?.at?.('/name')}
      />
      <${TextField}
        wide
        label=${t('tableName')}
        class="mono"
        required
        pattern="\\s*[a-z_][a-z0-9_]{0,62}\\s*"
        title=${t('tableName.hint')}
        value=${tableName}
        onInput=${setTableName}
        error=${problem?.at?.('/tableName')}
      />
      ${asksEnterprise && html`<${EnterpriseChoice} value=${enterpriseId} onChange=${setEnterpriseId} error=${problem?.at?.('/enterpriseId')} />`}
      <${Choice}
        label=${t('onInvalid')}
        value=${options.onInvalid}
        choices=${POLICIES.map((policy) => [policy, t(`onInvalid.${policy}`)])}
        onChange=${(value) => onTake({ onInvalid: value })}
      />
      <button type="submit" class="primary" disabled=${isBusy}>${t('newSource.load')}</button>
    </div>
    ${sent && html`<${Progress} label=${t('newSource.sending')} done=${sent.bytes} total=${sent.total} isLost=${sent.isLost} unit="bytes" onCancel=${cancel} />`}
    ${job && html`<${JobProgress} job=${job} label=${t('newSource.loading')} onCancel=${cancel} />`}
    ${isBusy && !sent && !job && html`<p class="soft" role="status">${t('loading')}</p>`}
    <${Problem} problem=${problem} />
  </form>`
}

/** Gives the job that loads; a small file is sent with the request, a large one beforehand, in parts. */
async function begin(draft, given, { signal, onProgress }) {
  const { origin } = draft
  if (origin.kind === 'resource') {
    const { columns, nullValues, timezone, decimal, onInvalid } = given.options
    const options = JSON.parse(
      JSON.stringify({ columns, nullValues, timezone, decimal, onInvalid }),
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
