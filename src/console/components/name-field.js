import { t } from '../core/language.js'
import { html } from '../core/ui.js'
import { TextField } from './field.js'

/** What something is called; `errorAt` gives what is wrong with it. */
export const NameField = ({ errorAt, ...field }) =>
  html`<${TextField}
    label=${t('name')}
    required
    maxlength="255"
    error=${errorAt('/name')}
    ...${field}
  />`
