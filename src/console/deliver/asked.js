import { download } from '../core/download.js'
import { t } from '../core/language.js'
import { useDeed } from '../core/loading.js'
import { html } from '../core/ui.js'
import { Problem } from '../components/problem.js'

const FORMATS = ['xlsx', 'csv']

/** What the file has to hold, column by column, and a file to fill in. */
export function Asked({ asked: { columns, collection } }) {
  const { isBusy, problem, attempt } = useDeed()
  const fetchTemplate = (format) =>
    attempt(() => download('/deliveries/template', { format }, `${collection}.${format}`))
  return html`<details class="panel" open=${columns.length <= FEW}>
      <summary>${t('deliver.columns', { count: columns.length })}</summary>
      <ul class="asked-columns">
        ${columns.map(
          ({ name, type, description, required, rules }) =>
            html`<li>
              <strong>${name}</strong>${' '}
              <span class="soft"
                >${[t(`type.${type}`), required ? t('deliver.required') : null].filter(Boolean).join(' · ')}</span
              >
              ${description && html`<p class="small">${description}</p>`}
              ${rules.map((rule) => html`<p class="small soft">${rule}</p>`)}
            </li>`,
        )}
      </ul>
    </details>
    <div class="row">
      ${FORMATS.map(
        (format) =>
          html`<button type="button" disabled=${isBusy} onClick=${() => fetchTemplate(format)}>
            ${t(`deliver.template.${format}`)}
          </button>`,
      )}
    </div>
    <${Problem} problem=${problem} />`
}

/** So many are read at a glance. */
const FEW = 12
