import { showNumber, t } from '../../core/language.js'
import { html } from '../../core/ui.js'

const WIDTH = 320
const HEIGHT = 48

/** How many rows each of the listed loads had, from the first to the last, as a line. */
export function RowsByLoad({ loads }) {
  const counted = loads.filter(({ counts }) => counts).toReversed()
  if (counted.length < 2) return null
  const rows = counted.map(({ counts }) => counts.loaded)
  const most = Math.max(1, ...rows)
  const points = rows.map((count, at) => [
    Math.round((at / (rows.length - 1)) * WIDTH),
    Math.round(HEIGHT - (count / most) * HEIGHT),
  ])
  const words = t('loads.line', {
    count: rows.length,
    first: showNumber(rows[0]),
    last: showNumber(rows.at(-1)),
    most: showNumber(most),
  })
  return html`<figure class="line-box">
    <svg viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label=${words}>
      <polyline points=${points.map((point) => point.join(',')).join(' ')} />
      ${points.map(
        ([x, y], at) =>
          html`<circle cx=${x} cy=${y} r="3">
            <title>${counted[at].number} · ${t('rows', { count: rows[at] })}</title>
          </circle>`,
      )}
    </svg>
    <figcaption class="small soft">${words}</figcaption>
  </figure>`
}
