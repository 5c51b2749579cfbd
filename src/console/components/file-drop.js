import { t } from '../core/language.js'
import { html, useId, useState } from '../core/ui.js'
import { Icon } from './icon.js'

/** Files by dropping or by choosing, with the keyboard too. */
export function FileDrop({ label, hint, multiple = false, onFiles }) {
  const [isOver, setOver] = useState(false)
  const id = useId()
  const take = (list) => {
    const files = [...(list ?? [])]
    if (files.length > 0) onFiles(multiple ? files : files.slice(0, 1))
  }
  return html`<div
    class=${isOver ? 'drop over' : 'drop'}
    onDragOver=${(event) => {
      event.preventDefault()
      setOver(true)
    }}
    onDragLeave=${() => setOver(false)}
    onDrop=${(event) => {
      event.preventDefault()
      setOver(false)
      take(event.dataTransfer.files)
    }}
  >
    <${Icon} of="upload" />
    <p aria-hidden="true"><strong>${label}</strong></p>
    <input
      id=${id}
      class="hidden-text"
      type="file"
      aria-label=${label}
      multiple=${multiple}
      onChange=${(event) => {
        take(event.currentTarget.files)
        event.currentTarget.value = ''
      }}
    />
    <label for=${id} class="button">${t(multiple ? 'drop.chooseSeveral' : 'drop.choose')}</label>
    ${hint && html`<p class="small soft">${hint}</p>`}
  </div>`
}
