import { html, useLayoutEffect, useRef } from '../core/ui.js'

/** A cell while it is written: Enter takes what was written, Escape does not. */
export function CellEditor({ label, value, onDone, onCancel }) {
  const input = useRef(null)
  // Before the browser paints: what is typed at once belongs here.
  useLayoutEffect(() => {
    input.current.focus()
    input.current.select()
  }, [])
  const onKeyDown = (event) => {
    if (event.key === 'Enter') onDone(event.currentTarget.value)
    if (event.key === 'Escape') onCancel()
  }
  return html`<input
    ref=${input}
    aria-label=${label}
    value=${value}
    onKeyDown=${onKeyDown}
    onBlur=${(event) => onDone(event.currentTarget.value)}
  />`
}
