import { Empty } from '../../components/empty.js'
import { Facts } from '../../components/facts.js'
import { Warnings } from '../../components/warnings.js'
import { showBytes, showNumber, showSeconds, t } from '../../core/language.js'
import { html } from '../../core/ui.js'
import { Drift } from './changes.js'

const COUNTS = ['read', 'loaded', 'rejected', 'blank']

/** What the last load found and did. */
export function Report({ source: { report } }) {
  if (!report) return html`<${Empty} of="text"><p>${t('report.none')}</p><//>`
  const { counts = {}, bytesRead, durationMs, widenings = [], warnings, drift, table } = report
  return html`<div class="form">
    <${Facts}
      of=${[
        ...COUNTS.map(
          (name) => counts[name] !== undefined && [t(`count.${name}`), showNumber(counts[name])],
        ),
        bytesRead !== undefined && [t('size'), showBytes(bytesRead)],
        durationMs !== undefined && [t('duration'), showSeconds(durationMs / 1000)],
      ]}
    />
    <${Warnings} warnings=${warnings} />
    <${Drift} drift=${drift} />
    ${
      widenings.length > 0 &&
      html`<div class="notice">
        <p><strong>${t('report.widened')}</strong></p>
        <ul>
          ${widenings.map((widening) => html`<li>${widening.column ?? widening.name}${' '}<code>${widening.from} → ${widening.to}</code> ${widening.value !== undefined && html`<code>${widening.value}</code>`}</li>`)}
        </ul>
      </div>`
    }
    ${
      [...(table?.titles ?? []), ...(table?.notes ?? [])].length > 0 &&
      html`<section class="panel">
        <h2>${t('report.leftOut')}</h2>
        <ul>
          ${[...table.titles, ...table.notes].map(({ line, text }) => html`<li><span class="soft">${t('atLine', { line })}</span>${' '}${text}</li>`)}
        </ul>
      </section>`
    }
    <details>
      <summary>${t('report.whole')}</summary>
      <pre tabindex="0">${JSON.stringify(report, null, 2)}</pre>
    </details>
  </div>`
}
