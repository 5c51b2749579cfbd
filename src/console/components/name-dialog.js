import { t } from '../core/language.js'
import { html, useState } from '../core/ui.js'
import { FormDialog } from './dialog.js'
import { TextField } from './field.js'

/** Asks for a name alone. */
export function NameDialog({ title, first = '', deed, onClose, onDone }) {
  const [name, setName] = useState(first)
  const fields = (errorAt) =>
    html`<${TextField}
      label=${t('name')}
      required
      maxlength="255"
      value=${name}
      onInput=${setName}
      error=${errorAt('/name')}
    />`
  return html`<${FormDialog}
    title=${title}
    fields=${fields}
    deed=${() => deed(name)}
    onClose=${onClose}
    onDone=${onDone}
  />`
}
