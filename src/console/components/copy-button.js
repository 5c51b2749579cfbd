import { copyText } from '../core/clipboard.js'
import { t } from '../core/language.js'
import { html } from '../core/ui.js'
import { RowButton } from './row-button.js'
import { tell } from './toast.js'

/** Copies what stands beside it, which can be selected where a browser refuses. */
export function CopyButton({ of: name, text }) {
  const copy = async () => {
    if (await copyText(text)) tell(t('copied'))
  }
  return html`<${RowButton} words=${t('copy')} of=${name} onClick=${copy} />`
}
