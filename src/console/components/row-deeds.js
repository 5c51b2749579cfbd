import { t } from '../core/language.js'
import { html, useRef, useState } from '../core/ui.js'
import { Icon } from './icon.js'
import { Menu } from './menu.js'
import { RowButton } from './row-button.js'

/**
 * What can be done with the thing of a row, as `[words, deed, kind]`: the first in sight, a link where its
 * deed is an address, and the others in a menu. What deletes is never in sight.
 */
export function RowDeeds({ of: name, deeds: all }) {
  const deeds = all.filter(Boolean)
  const isFirstSeen = deeds.length > 0 && deeds[0][2] !== 'danger'
  return html`<div class="row">
    ${isFirstSeen && html`<${First} of=${name} deed=${deeds[0]} />`}
    <${More} of=${name} deeds=${isFirstSeen ? deeds.slice(1) : deeds} />
  </div>`
}

const First = ({ of: name, deed: [words, deed] }) =>
  typeof deed === 'string'
    ? html`<a class="button" href=${deed} aria-label=${`${words} ${name}`}>${words}</a>`
    : html`<${RowButton} words=${words} of=${name} onClick=${deed} />`

/** What can be done besides, behind three dots. */
export function More({ of: name, deeds }) {
  const [at, setAt] = useState(null)
  // A press beside the menu closes it, and must not open it again.
  const wasOpen = useRef(false)
  if (deeds.length === 0) return null
  const label = t('deeds', { name })
  const toggle = ({ currentTarget }) => {
    const { right, bottom } = currentTarget.getBoundingClientRect()
    setAt(wasOpen.current ? null : { x: right, y: bottom, isEnd: true })
    wasOpen.current = false
  }
  return html`<button
      type="button"
      class="more"
      aria-haspopup="menu"
      aria-expanded=${at !== null}
      aria-label=${label}
      title=${label}
      onPointerDown=${() => {
        wasOpen.current = at !== null
      }}
      onClick=${toggle}
    >
      <${Icon} of="dots" />
    </button>
    ${
      at &&
      html`<${Menu}
        label=${label}
        items=${deeds.map(([words, deed, kind]) => [words, deed, { kind }])}
        at=${at}
        onClose=${() => setAt(null)}
      />`
    }`
}
