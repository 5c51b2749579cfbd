import { Head } from '../components/frame.js'
import { t } from '../core/language.js'
import { html } from '../core/ui.js'
import { ChooseOrigin } from './new-source/choose-origin.js'
import { Draft } from './new-source/draft.js'
import { addDrafts, chosen, chooseDraft, drafts, dropDraft } from './new-source/drafts.js'

export default function NewSource() {
  const draft = drafts.value.find(({ id }) => id === chosen.value)
  return html`<div class="screen">
    <${Head} title=${t('sources.new')} about=${draft ? draft.label : t('newSource.about')}>
      ${
        draft &&
        html`<button type="button" onClick=${() => chooseDraft(null)}>
            ${t('newSource.another')}
          </button>
          <button type="button" onClick=${() => dropDraft(draft.id)}>
            ${t('newSource.drop')}
          </button>`
      }
    <//>
    ${drafts.value.length > (draft ? 1 : 0) && html`<${Waiting} />`}
    ${
      draft
        ? html`<${Draft} key=${draft.id} draft=${draft} />`
        : html`<${ChooseOrigin} onChosen=${addDrafts} />`
    }
  </div>`
}

const Waiting = () =>
  html`<nav class="tabs" aria-label=${t('newSource.waiting')}>
    ${drafts.value.map(
      ({ id, label }) =>
        html`<a
          href="#/sources/new"
          aria-current=${id === chosen.value ? 'page' : undefined}
          onClick=${(event) => {
            event.preventDefault()
            chooseDraft(id)
          }}
          >${label}</a
        >`,
    )}
  </nav>`
