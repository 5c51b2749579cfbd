import { FormDialog } from '../components/dialog.js'
import { EnterpriseChoice } from '../components/enterprise-choice.js'
import { NameField } from '../components/name-field.js'
import { Head } from '../components/frame.js'
import { ListOf } from '../components/list.js'
import { get, post } from '../core/api.js'
import { showTime, t } from '../core/language.js'
import { goTo, linkTo } from '../core/router.js'
import { choosesEnterprise, isSuperAdmin } from '../core/session.js'
import { html, useState } from '../core/ui.js'

export default function Workflows() {
  const [isNew, setNew] = useState(false)
  const columns = [
    [
      t('name'),
      ({ uuid, name }) => html`<a href=${linkTo('workflows', uuid)}>${name}</a>`,
      undefined,
      'name',
    ],
    ...(isSuperAdmin() ? [[t('enterprise'), ({ enterprise }) => enterprise?.name ?? '']] : []),
    [t('workflow.source'), ({ sourceConfig }) => sourceWords(sourceConfig)],
    [t('createdAt'), ({ createdAt }) => showTime(createdAt), 'time', 'createdAt'],
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
      search
      columns=${columns}
      empty=${t('workflows.empty')}
      first=${add}
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
  const deed = () =>
    post('/workflows', { name, ...(enterpriseId && { enterpriseId: Number(enterpriseId) }) })
  const fields = (errorAt) =>
    html`<${NameField} value=${name} onInput=${setName} errorAt=${errorAt} />
      ${choosesEnterprise() && html`<${EnterpriseChoice} value=${enterpriseId} onChange=${setEnterpriseId} error=${errorAt('/enterpriseId')} />`}`
  return html`<${FormDialog}
    title=${t('workflow.new')}
    fields=${fields}
    deed=${deed}
    onClose=${onClose}
    onDone=${({ uuid }) => goTo('workflows', uuid)}
  />`
}
