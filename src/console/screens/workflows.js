import { Dialog } from '../components/dialog.js'
import { EnterpriseChoice } from '../components/enterprise-choice.js'
import { TextField } from '../components/field.js'
import { Head } from '../components/frame.js'
import { ListOf } from '../components/list.js'
import { Problem } from '../components/problem.js'
import { get, post } from '../core/api.js'
import { showTime, t } from '../core/language.js'
import { useDeed } from '../core/loading.js'
import { goTo, linkTo } from '../core/router.js'
import { choosesEnterprise } from '../core/session.js'
import { html, useState } from '../core/ui.js'

export default function Workflows() {
  const [isNew, setNew] = useState(false)
  const columns = [
    [t('name'), ({ uuid, name }) => html`<a href=${linkTo('workflows', uuid)}>${name}</a>`],
    [t('workflow.source'), ({ sourceConfig }) => sourceWords(sourceConfig)],
    [t('createdAt'), ({ createdAt }) => showTime(createdAt), 'time'],
    [t('updatedAt'), ({ updatedAt }) => showTime(updatedAt), 'time'],
  ]
  const add = html`<button type="button" class="primary" onClick=${() => setNew(true)}>
    ${t('workflow.new')}
  </button>`
  return html`<div class="screen">
    <${Head} title=${t('part.workflows')} about=${t('workflows.about')}>${add}<//>
    <${ListOf}
      label=${t('part.workflows')}
      question=${(query, signal) => get('/workflows', query, signal)}
      columns=${columns}
      empty=${html`<p>${t('workflows.empty')}</p>
        ${add}`}
    />
    ${isNew && html`<${NewWorkflow} onClose=${() => setNew(false)} />`}
  </div>`
}

export function sourceWords(config) {
  if (!config) return html`<span class="tag warn">${t('workflow.noSource')}</span>`
  return config.sourceType === 'api' ? config.formTitle : t('workflow.document')
}

function NewWorkflow({ onClose }) {
  const [name, setName] = useState('')
  const [enterpriseId, setEnterpriseId] = useState('')
  const { isBusy, problem, attempt } = useDeed()
  const submit = async (event) => {
    event.preventDefault()
    const body = { name, ...(enterpriseId && { enterpriseId: Number(enterpriseId) }) }
    const { done, result } = await attempt(() => post('/workflows', body))
    if (done) goTo('workflows', result.uuid)
  }
  return html`<${Dialog} title=${t('workflow.new')} onClose=${onClose}>
    <form class="form" onSubmit=${submit}>
      <${TextField}
        label=${t('name')}
        required
        value=${name}
        onInput=${setName}
        error=${problem?.at?.('/name')}
      />
      ${choosesEnterprise() && html`<${EnterpriseChoice} value=${enterpriseId} onChange=${setEnterpriseId} error=${problem?.at?.('/enterpriseId')} />`}
      <${Problem} problem=${problem} />
      <div class="row row-end">
        <button type="button" onClick=${onClose}>${t('cancel')}</button>
        <button type="submit" class="primary" disabled=${isBusy}>${t('save')}</button>
      </div>
    </form>
  <//>`
}
