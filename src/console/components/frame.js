import { language, LANGUAGES, speak, t } from '../core/language.js'
import { linkTo, route } from '../core/router.js'
import { closeSession, isAdmin, isSuperAdmin, session } from '../core/session.js'
import { theme, THEMES, wear } from '../core/theme.js'
import { html, useEffect, useId, useRef, useState } from '../core/ui.js'
import { Brand } from './brand.js'
import { Facts } from './facts.js'
import { Icon, isDrawn } from './icon.js'
import { Running } from './running.js'
import { Switch } from './switch.js'

/** Who sees which part of the house, in the order of the menu and of its groups; the last stands apart. */
const GROUPS = {
  start: [['home', isAdmin]],
  tables: [
    ['sources', isAdmin],
    ['collections', isAdmin],
    ['workflows', isAdmin],
    ['shapes', isAdmin],
    ['connections', isAdmin],
  ],
  files: [
    ['documents', () => true],
    ['folders', () => true],
  ],
  watch: [
    ['jobs', isAdmin],
    ['audit', isAdmin],
  ],
  people: [
    ['enterprises', isSuperAdmin],
    ['users', isSuperAdmin],
  ],
  user: [['account', () => true]],
}

const seenOf = (parts) => parts.filter(([, sees]) => sees()).map(([name]) => name)

export const partsSeen = () => seenOf(Object.values(GROUPS).flat())

export function Frame({ children }) {
  const [isOpen, setOpen] = useState(false)
  const main = useRef(null)
  const here = route.value.path[0]
  const place = route.value.path.slice(0, 2).join('/')
  const isFirst = useRef(true)
  // Whoever follows a link with the keyboard goes on in what it opened.
  useEffect(() => {
    setOpen(false)
    if (!isFirst.current) main.current?.focus({ preventScroll: true })
    isFirst.current = false
    main.current?.scrollTo(0, 0)
  }, [place])
  return html`<div class="frame">
    <a
      class="skip"
      href="#main"
      onClick=${(event) => {
        event.preventDefault()
        main.current.focus()
      }}
      >${t('skip')}</a
    >
    <header class=${isOpen ? 'side' : 'side closed'}>
      <${Brand} />
      <button
        type="button"
        class="menu-button"
        aria-expanded=${isOpen}
        onClick=${() => setOpen(!isOpen)}
      >
        <${Icon} of="menu" />${t('menu')}
      </button>
      <nav aria-label=${t('menu')}>
        ${['start', 'tables', 'files', 'watch', 'people'].map((group) => html`<${Group} of=${group} here=${here} />`)}
      </nav>
      <div class="side-foot">
        <${Running} />
        <${UserMenu} />
      </div>
    </header>
    <main id="main" class="main" tabindex="-1" ref=${main}>${children}</main>
  </div>`
}

/** A part of the menu; the first needs no name. */
function Group({ of: group, here }) {
  const id = useId()
  const parts = seenOf(GROUPS[group])
  if (parts.length === 0) return null
  return html`<div class="menu-group">
    ${group !== 'start' && html`<p id=${id} class="small soft">${t(`menu.${group}`)}</p>`}
    <ul aria-labelledby=${group === 'start' ? undefined : id}>
      ${parts.map((name) => html`<li><${LinkTo} part=${name} here=${here} /></li>`)}
    </ul>
  </div>`
}

const LinkTo = ({ part, here }) =>
  html`<a class="place" href=${linkTo(part)} aria-current=${here === part ? 'page' : undefined}
    ><${Icon} of=${part} />${t(`part.${part}`)}</a
  >`

/** Who one is, how the console speaks and looks, and the way out. */
function UserMenu() {
  const { user } = session.value
  const id = useId()
  const box = useRef(null)
  const here = route.value
  useEffect(() => box.current.hidePopover(), [here])
  return html`<button type="button" class="user" popovertarget=${id}>
      <span class="initials" aria-hidden="true">${initialsOf(user.name)}</span>
      <span class="grow cut">${user.name}</span>
      <${Icon} of="more" />
    </button>
    <div id=${id} ref=${box} popover class="user-menu" role="group" aria-label=${user.name}>
      <p>
        <strong>${user.name}</strong><br /><span class="soft small"
          >${user.email}<br />${[t(`role.${user.role.type}`), user.enterprise?.name].filter(Boolean).join(' · ')}</span
        >
      </p>
      <${LinkTo} part="account" here=${here.path[0]} />
      <${Preferences} />
      <button type="button" onClick=${() => closeSession()}>${t('signOut')}</button>
    </div>`
}

const initialsOf = (name) =>
  name
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => [...word][0] ?? '')
    .join('')

export const Preferences = () =>
  html`<${Switch}
      label=${t('language')}
      value=${language.value}
      choices=${LANGUAGES.map((name) => [name, t(`language.${name}`)])}
      onChange=${speak}
    />
    <${Switch}
      label=${t('theme')}
      value=${theme.value}
      choices=${THEMES.map((name) => [name, t(`theme.${name}`)])}
      onChange=${wear}
    />`

/** The head of a screen: the place that it belongs to, what it is, in which state (`mark`), what is known of it, and what can be done with it. */
export function Head({ title, about, mark, facts, children }) {
  useEffect(() => {
    document.title = `${title} · ${t('product')}`
  }, [title])
  const [place] = route.value.path
  return html`<div class="head">
    ${isDrawn(place) && html`<span class="place-mark"><${Icon} of=${place} /></span>`}
    <div class="head-text">
      <div class="head-title">
        <h1>${title}</h1>
        ${mark}
      </div>
      ${about && html`<p class="soft">${about}</p>`} ${facts && html`<${Facts} of=${facts} />`}
    </div>
    <div class="head-actions">${children}</div>
  </div>`
}

/** Also where somebody else would find a page: who may not see it is told no more. */
export const NoSuchPage = () =>
  html`<${Head} title=${t('noSuchPage')} about=${t('noSuchPage.about')} />`
