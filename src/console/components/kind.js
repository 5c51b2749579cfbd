import { t } from '../core/language.js'
import { wordsOfKind } from '../core/formats.js'
import { html } from '../core/ui.js'
import { Icon } from './icon.js'

/** What is drawn for each kind of file; a form has its own. */
const DRAWN = {
  CSV: 'text',
  FIXED_WIDTH: 'text',
  EXCEL: 'sheet',
  ODS: 'sheet',
  HTML: 'tags',
  XML: 'tags',
  JSON: 'braces',
  PARQUET: 'columns',
}

/** What the rows of a source come from, drawn and said. */
export const Kind = ({ of: source }) =>
  html`<span class="kind"
    ><${Icon} of=${source.apiResourceType ? 'form' : (DRAWN[source.sourceType] ?? 'text')} />
    ${wordsOfKind(source)}</span
  >`

/** How much of what was sent is in the table. */
export function Quality({ of: { rowCount, rejectedCount } }) {
  const all = rowCount + rejectedCount
  if (all === 0) return ''
  const words = t('quality', { count: rejectedCount })
  return html`<span class="quality" role="img" aria-label=${words} title=${words}>
    <meter min="0" max=${all} value=${rowCount} aria-hidden="true"></meter>
  </span>`
}
