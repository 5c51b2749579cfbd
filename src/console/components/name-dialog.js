import { html, useState } from '../core/ui.js'
import { FormDialog } from './dialog.js'
import { NameField } from './name-field.js'

/** Asks for a name alone. */
export function NameDialog({ title, first = '', deed, onClose, onDone }) {
  const [name, setName] = useState(first)
  const fields = (errorAt) =>
    html`<${NameField} value=${name} onInput=${setName} errorAt=${errorAt} />`
  return html`<${FormDialog}
    title=${title}
    fields=${fields}
    deed=${() => deed(name)}
    onClose=${onClose}
    onDone=${onDone}
  />`
}
