import { html, useEffect, useLayoutEffect, useRef } from '../core/ui.js'

/**
 * What can be done with a thing, beside it; `items` are `[words, deed, { aside, kind, isApart }]`, `at` is where on
 * the screen, its beginning or, with `isEnd`, its end. It lies over whatever there is, also over a dialog.
 */
export function Menu({ label, items, at, onClose }) {
  const box = useRef(null)
  const before = useRef(document.activeElement)
  useLayoutEffect(() => {
    if (!box.current.matches(':popover-open')) box.current.showPopover()
    const { style, offsetWidth, offsetHeight } = box.current
    // Near an edge it opens to the other side.
    const left = at.isEnd ? at.x - offsetWidth : at.x
    style.left = `${Math.max(0, Math.min(left, innerWidth - offsetWidth - EDGE_PX))}px`
    style.top = `${Math.max(0, Math.min(at.y, innerHeight - offsetHeight - EDGE_PX))}px`
  }, [at, items.length])
  useLayoutEffect(() => box.current.querySelector('button').focus(), [at])
  useEffect(() => {
    const close = (event) => {
      if (!box.current.contains(event.target)) onClose()
    }
    addEventListener('pointerdown', close)
    return () => removeEventListener('pointerdown', close)
  }, [onClose])
  const leave = () => {
    onClose()
    before.current?.focus?.()
  }
  const onKeyDown = (event) => {
    event.stopPropagation()
    if (event.key === 'Escape' || event.key === 'Tab') {
      event.preventDefault()
      leave()
      return
    }
    const all = [...box.current.querySelectorAll('button')]
    const own = all.indexOf(document.activeElement)
    const to = { ArrowDown: own + 1, ArrowUp: own - 1, Home: 0, End: all.length - 1 }[event.key]
    if (to === undefined) return
    event.preventDefault()
    all.at(to % all.length).focus()
  }
  return html`<div
    ref=${box}
    popover="manual"
    class="menu"
    role="menu"
    aria-label=${label}
    onKeyDown=${onKeyDown}
  >
    ${items.map(
      ([words, deed, { aside, kind, isApart } = {}]) =>
        html`<button
          type="button"
          role="menuitem"
          tabindex="-1"
          class=${[kind, (isApart || kind === 'danger') && 'apart'].filter(Boolean).join(' ') || undefined}
          onClick=${() => {
            leave()
            deed()
          }}
        >
          <span>${words}</span>${aside && html`<span class="number soft">${aside}</span>`}
        </button>`,
    )}
  </div>`
}

const EDGE_PX = 8
