import { AccountTypeChoice } from '../components/account-type-choice.js'
import { Confirm, FormDialog, ShowDialog } from '../components/dialog.js'
import { EnterpriseChoice } from '../components/enterprise-choice.js'
import { Choice, TextField } from '../components/field.js'
import { Head } from '../components/frame.js'
import { Filter, ListOf, useFilter } from '../components/list.js'
import { NameField } from '../components/name-field.js'
import { RowDeeds } from '../components/row-deeds.js'
import { State } from '../components/tag.js'
import { tell } from '../components/toast.js'
import { get, patch, post } from '../core/api.js'
import { t } from '../core/language.js'
import { linkTo, route } from '../core/router.js'
import { session } from '../core/session.js'
import { html, useState } from '../core/ui.js'

const ROLES = ['client', 'admin', 'super-admin']
const isOneself = ({ uuid }) => uuid === session.value.user.uuid

/** Everybody who may sign in; of one enterprise where the address names it. */
export default function Users() {
  const { enterprise, name: enterpriseName } = route.value.query
  const [role, setRole] = useFilter('role', ROLES)
  const [asked, setAsked] = useState(null)
  const [version, setVersion] = useState(0)
  const close = () => setAsked(null)
  const done = (changed) => {
    tell(
      t('saved'),
      'good',
      undoOf(asked, changed, () => setVersion((before) => before + 1)),
    )
    setAsked(changed.password === undefined ? null : { deed: 'show', user: changed })
    setVersion((before) => before + 1)
  }
  const columns = [
    [
      t('name'),
      (user) =>
        html`${user.name}${isOneself(user) && html`${' '}<span class="tag">${t('user.oneself')}</span>`}`,
    ],
    [t('email'), ({ email }) => email],
    [t('role'), (user) => t(`role.${user.role}`)],
    [t('enterprise'), (user) => user.enterprise?.name ?? ''],
    [
      t('state'),
      ({ disabledAt }) => html`<${State} of=${disabledAt === null ? 'enabled' : 'disabled'} />`,
    ],
    [
      '',
      (user) =>
        html`<${RowDeeds}
          of=${user.name}
          deeds=${deedsFor(user).map((deed) => [t(deed === 'change' ? deed : `user.${deed}`), () => setAsked({ deed, user })])}
        />`,
    ],
  ]
  const tools = html`<${Filter}
    label=${t('role')}
    value=${role}
    choices=${[['', t('users.allRoles')], ...rolesInWords()]}
    onChange=${setRole}
  />`
  const add = html`<button
    type="button"
    class="primary"
    onClick=${() => setAsked({ deed: 'create' })}
  >
    ${t('user.new')}
  </button>`
  const title = enterprise ? t('users.ofEnterprise', { name: enterpriseName }) : t('part.users')
  return html`<div class="screen">
    <${Head} title=${title} about=${t('users.about')}>
      ${enterprise && html`<a class="button" href=${linkTo('users')}>${t('users.ofAll')}</a>`}
      ${add}
    <//>
    <${ListOf}
      label=${t('part.users')}
      question=${(query, signal) => get('/users', { ...query, enterpriseId: enterprise }, signal)}
      filters=${{ role }}
      columns=${columns}
      search
      tools=${tools}
      several=${{ deeds: deedsOfSeveral(), nameOf: ({ name }) => name }}
      version=${`${version}/${enterprise}`}
      empty=${t('users.empty')}
      first=${add}
    />
    ${asked && html`<${DialogFor} asked=${asked} enterprise=${enterprise} onClose=${close} onDone=${done} />`}
  </div>`
}

function deedsFor(user) {
  if (isOneself(user)) return ['change']
  return user.disabledAt === null ? ['change', 'password', 'disable'] : ['enable', 'change']
}

const deedsOfSeveral = () =>
  ['enable', 'disable'].map((deed) => ({
    words: t(`user.${deed}`),
    isFor: (user) => deedsFor(user).includes(deed),
    each: ({ uuid }) => patch(`/users/${uuid}`, CHANGES[deed]),
    back: ({ uuid }) => patch(`/users/${uuid}`, CHANGES[OPPOSITES[deed]]),
  }))

const rolesInWords = () => ROLES.map((role) => [role, t(`role.${role}`)])

/** What is changed by each deed that is only asked about. */
const CHANGES = {
  password: { password: null },
  disable: { disabled: true },
  enable: { disabled: false },
}

/** What was only switched off or on is switched back. */
const OPPOSITES = { disable: 'enable', enable: 'disable' }

function undoOf({ deed }, { uuid }, onDone) {
  const opposite = OPPOSITES[deed]
  if (!opposite) return null
  return async () => {
    await patch(`/users/${uuid}`, CHANGES[opposite])
    onDone()
    return t('saved')
  }
}

function DialogFor({ asked: { deed, user }, enterprise, onClose, onDone }) {
  if (deed === 'create')
    return html`<${NewUser} enterprise=${enterprise} onClose=${onClose} onDone=${onDone} />`
  if (deed === 'change')
    return html`<${ChangeUser} user=${user} onClose=${onClose} onDone=${onDone} />`
  if (deed === 'show') return html`<${MadePassword} user=${user} onClose=${onClose} />`
  return html`<${Confirm}
    title=${t(`user.${deed}`)}
    text=${t(`user.${deed}.text`, { name: user.name })}
    label=${t(`user.${deed}`)}
    deed=${() => patch(`/users/${user.uuid}`, CHANGES[deed])}
    onClose=${onClose}
    onDone=${onDone}
  />`
}

function NewUser({ enterprise, onClose, onDone }) {
  const [email, setEmail] = useState('')
  const [name, setName] = useState('')
  const [role, setRole] = useState('client')
  const [accountType, setAccountType] = useState('enterprise')
  const [enterpriseId, setEnterpriseId] = useState(enterprise ?? '')
  const deed = () =>
    post('/users', {
      email,
      name,
      role,
      accountType,
      ...(enterpriseId && { enterpriseId: Number(enterpriseId) }),
    })
  const fields = (errorAt) =>
    html`<${NameField} value=${name} onInput=${setName} errorAt=${errorAt} />
      <${TextField}
        label=${t('email')}
        type="email"
        required
        autocomplete="off"
        value=${email}
        onInput=${setEmail}
        error=${errorAt('/email')}
      />
      <${Choice}
        label=${t('role')}
        value=${role}
        choices=${rolesInWords()}
        onChange=${setRole}
        error=${errorAt('/role')}
      />
      <${AccountTypeChoice}
        value=${accountType}
        onChange=${setAccountType}
        error=${errorAt('/accountType')}
      />
      ${
        enterprise === undefined &&
        html`<${EnterpriseChoice}
          value=${enterpriseId}
          isOptional=${role === 'super-admin' || accountType === 'personal'}
          onChange=${setEnterpriseId}
          error=${errorAt('/enterpriseId')}
        />`
      }`
  return html`<${FormDialog}
    title=${t('user.new')}
    fields=${fields}
    deed=${deed}
    onClose=${onClose}
    onDone=${onDone}
  />`
}

function ChangeUser({ user, onClose, onDone }) {
  const [name, setName] = useState(user.name)
  const [role, setRole] = useState(user.role)
  const fields = (errorAt) =>
    html`<${NameField} value=${name} onInput=${setName} errorAt=${errorAt} />
      ${!isOneself(user) && html`<${Choice} label=${t('role')} value=${role} choices=${rolesInWords()} onChange=${setRole} error=${errorAt('/role')} />`}`
  return html`<${FormDialog}
    title=${user.name}
    fields=${fields}
    deed=${() => patch(`/users/${user.uuid}`, { name, role })}
    onClose=${onClose}
    onDone=${onDone}
  />`
}

const MadePassword = ({ user: { name, email, password }, onClose }) =>
  html`<${ShowDialog} title=${t('user.password')} onClose=${onClose}>
    <p>${t('user.password.once', { name })}</p>
    <pre tabindex="0">${email}${'\n'}${password}</pre>
  <//>`
