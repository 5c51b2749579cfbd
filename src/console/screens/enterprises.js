import { AccountTypeChoice } from '../components/account-type-choice.js'
import { FormDialog } from '../components/dialog.js'
import { Head } from '../components/frame.js'
import { ListOf } from '../components/list.js'
import { NameField } from '../components/name-field.js'
import { NameDialog } from '../components/name-dialog.js'
import { RowButton } from '../components/row-button.js'
import { tell } from '../components/toast.js'
import { get, post } from '../core/api.js'
import { t } from '../core/language.js'
import { goTo, linkTo } from '../core/router.js'
import { html, useState } from '../core/ui.js'

/** Every enterprise, its users, and the root folder that it has or lacks. */
export default function Enterprises() {
  const [chosen, setChosen] = useState(null)
  const [isNew, setNew] = useState(false)
  const [version, setVersion] = useState(0)
  const columns = [
    [t('name'), ({ name }) => name],
    [t('number'), ({ id }) => id, 'number'],
    [t('accountType'), ({ accountType }) => t(`accountType.${accountType}`)],
    [
      t('folder.root'),
      (enterprise) =>
        enterprise.hasFolder
          ? html`<span class="tag good">${t('yes')}</span>`
          : html`<${RowButton}
              words=${t('folder.newRoot')}
              of=${enterprise.name}
              onClick=${() => setChosen(enterprise)}
            />`,
    ],
    ['', (enterprise) => html`<${LinkToUsers} enterprise=${enterprise} />`],
  ]
  return html`<div class="screen">
    <${Head} title=${t('part.enterprises')} about=${t('enterprises.about')}>
      <button type="button" class="primary" onClick=${() => setNew(true)}>
        ${t('enterprise.new')}
      </button>
    <//>
    <${ListOf}
      label=${t('part.enterprises')}
      question=${(query, signal) => get('/folders/enterprises', query, signal)}
      columns=${columns}
      search
      version=${version}
      empty=${t('enterprises.empty')}
    />
    ${
      isNew &&
      html`<${NewEnterprise}
        onClose=${() => setNew(false)}
        onDone=${() => {
          setNew(false)
          tell(t('saved'))
          setVersion((before) => before + 1)
        }}
      />`
    }
    ${
      chosen &&
      html`<${NameDialog}
        title=${t('folder.newRoot')}
        first=${chosen.name}
        deed=${(name) => post('/folders', { name, enterpriseId: chosen.id })}
        onClose=${() => setChosen(null)}
        onDone=${({ uuid }) => {
          tell(t('saved'))
          goTo('folders', uuid)
        }}
      />`
    }
  </div>`
}

function LinkToUsers({ enterprise: { id, name } }) {
  const query = new URLSearchParams({ enterprise: id, name })
  return html`<a
    href=${`${linkTo('users')}?${query}`}
    aria-label=${t('users.ofEnterprise', { name })}
    >${t('part.users')}</a
  >`
}

function NewEnterprise({ onClose, onDone }) {
  const [name, setName] = useState('')
  const [accountType, setAccountType] = useState('enterprise')
  const fields = (errorAt) =>
    html`<${NameField} value=${name} onInput=${setName} errorAt=${errorAt} />
      <${AccountTypeChoice}
        value=${accountType}
        onChange=${setAccountType}
        error=${errorAt('/accountType')}
      />`
  return html`<${FormDialog}
    title=${t('enterprise.new')}
    fields=${fields}
    deed=${() => post('/enterprises', { name, accountType })}
    onClose=${onClose}
    onDone=${onDone}
  />`
}
