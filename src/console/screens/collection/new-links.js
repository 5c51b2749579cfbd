import { CopyButton } from '../../components/copy-button.js'
import { ShowDialog } from '../../components/dialog.js'
import { writeCsv } from '../../core/csv.js'
import { saveText } from '../../core/download.js'
import { t } from '../../core/language.js'
import { html } from '../../core/ui.js'

const HEAD = ['key', 'name', 'email', 'url']
const MOST_SHOWN = 20

/** Links are shown this once: the service keeps no more than a hash of them. */
export function NewLinks({ links = [], name, onClose }) {
  const keep = () => {
    const rows = links.map(({ sender, url }) => [sender.key, sender.name, sender.email, url])
    saveText(writeCsv([HEAD, ...rows]), `${name}.csv`, 'text/csv')
  }
  return html`<${ShowDialog} title=${t('collection.links')} onClose=${onClose}>
    <p>${t('collection.links.text')}</p>
    <ul class="form">
      ${links.slice(0, MOST_SHOWN).map(
        ({ sender, url }) =>
          html`<li class="row">
            <span class="grow">${sender.name} <code class="cut-anywhere">${url}</code></span>
            <${CopyButton} of=${sender.name} text=${url} />
          </li>`,
      )}
    </ul>
    ${links.length > MOST_SHOWN && html`<p class="soft">${t('deliver.more', { shown: MOST_SHOWN })}</p>`}
    <div class="row">
      <button type="button" class="primary" onClick=${keep}>${t('collection.links.keep')}</button>
    </div>
  <//>`
}
