import { language, LANGUAGES, speak, t } from '../core/language.js'
import { linkTo, route } from '../core/router.js'
import { closeSession, isAdmin, isSuperAdmin, session } from '../core/session.js'
import { theme, THEMES, wear } from '../core/theme.js'
import { html, useEffect, useRef, useState } from '../core/ui.js'

/** Who sees which part of the house, in the order of the menu. */
const PARTS = [
  ['sources', isAdmin],
  ['workflows', isAdmin],
  ['shapes', isAdmin],
  ['connections', isAdmin],
  ['jobs', isAdmin],
  ['documents', () => true],
  ['folders', () => true],
  ['enterprises', isSuperAdmin],
  ['users', isSuperAdmin],
  ['account', () => true],
]

export const partsSeen = () => PARTS.filter(([, sees]) => sees()).map(([name]) => name)

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
      <p class="brand"><span class="brand-mark"></span>${t('product')}</p>
      <button
        type="button"
        class="menu-button"
        aria-expanded=${isOpen}
        onClick=${() => setOpen(!isOpen)}
      >
        ${t('menu')}
      </button>
      <nav aria-label=${t('menu')}>
        <ul>
          ${partsSeen().map(
            (name) =>
              html`<li>
                <a href=${linkTo(name)} aria-current=${here === name ? 'page' : undefined}
                  >${t(`part.${name}`)}</a
                >
              </li>`,
          )}
        </ul>
      </nav>
      <div class="side-foot">
        <p class="small">
          ${session.value.user.name}<br /><span class="soft"
            >${session.value.user.enterprise?.name ?? t(`role.${session.value.user.role.type}`)}</span
          >
        </p>
        <${Preferences} />
        <button type="button" onClick=${() => closeSession()}>${t('signOut')}</button>
      </div>
    </header>
    <main id="main" class="main" tabindex="-1" ref=${main}>${children}</main>
  </div>`
}

export function Preferences() {
  const next = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length]
  return html`<div class="side-foot-row">
    ${LANGUAGES.map(
      (name) =>
        html`<button
          type="button"
          lang=${name}
          aria-pressed=${language.value === name}
          onClick=${() => speak(name)}
        >
          ${name === 'fr' ? 'Français' : 'English'}
        </button>`,
    )}
    <button type="button" onClick=${() => wear(next)}>${t(`theme.${theme.value}`)}</button>
  </div>`
}

/** The head of a screen: what it is, and what can be done with it. */
export function Head({ title, about, children }) {
  useEffect(() => {
    document.title = `${title} · ${t('product')}`
  }, [title])
  return html`<div class="head">
    <div class="head-text">
      <h1>${title}</h1>
      ${about && html`<p class="soft">${about}</p>`}
    </div>
    <div class="head-actions">${children}</div>
  </div>`
}
