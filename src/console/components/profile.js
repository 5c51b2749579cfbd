import { showPercent, t } from '../core/language.js'
import { html } from '../core/ui.js'
import { showValue } from '../core/values.js'

const WIDTH = 192
const HEIGHT = 40
const GAP = 1

/**
 * How the values of a column lie: a picture of numbers and dates, or the texts that come often, each a
 * link where `linkTo(value)` gives one. In the head of a grid it `isSmall`: one line.
 */
export function ColumnPicture({ column, profile: { histogram, frequent }, linkTo, isSmall }) {
  if (histogram) return html`<${Histogram} column=${column} of=${histogram} isSmall=${isSmall} />`
  if (frequent.length === 0) return html`<span class="soft">${t('profile.allDiffer')}</span>`
  const shown = frequent.slice(0, isSmall ? 1 : FREQUENT)
  return html`<${Frequent} column=${column} of=${shown} linkTo=${linkTo} />`
}

function Histogram({ column, of: { from, to, shares, below, above }, isSmall }) {
  const most = Math.max(...shares)
  const step = WIDTH / shares.length
  const ends = { from: showValue(from, column), to: showValue(to, column) }
  const beyond = below + above
  const words = [
    t('profile.spread', ends),
    t('profile.peak', { share: percent(most), part: partOf(shares.indexOf(most), shares.length) }),
    beyond > 0 && t('profile.beyond', { share: percent(beyond) }),
  ]
    .filter(Boolean)
    .join(' ')
  return html`<figure class="picture">
    <svg
      role="img"
      aria-label=${words}
      viewBox=${`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      width=${WIDTH}
      height=${HEIGHT}
    >
      <title>${words}</title>
      ${shares.map((share, at) => {
        const tall = most === 0 ? 0 : (share / most) * (HEIGHT - 1)
        return html`<rect
          x=${at * step}
          y=${HEIGHT - Math.max(tall, share > 0 ? 1 : 0)}
          width=${step - GAP}
          height=${Math.max(tall, share > 0 ? 1 : 0)}
        />`
      })}
      <line x1="0" x2=${WIDTH} y1=${HEIGHT - 0.5} y2=${HEIGHT - 0.5} />
    </svg>
    ${
      !isSmall &&
      html`<figcaption class="small soft" aria-hidden="true">
        <span>${ends.from}</span><span>${ends.to}</span>
      </figcaption>`
    }
    ${!isSmall && beyond > 0 && html`<span class="small soft" aria-hidden="true">${t('profile.beyond', { share: percent(beyond) })}</span>`}
  </figure>`
}

const partOf = (bin, bins) => t(`profile.part.${Math.min(2, Math.floor((bin / bins) * 3))}`)

const FREQUENT = 3

const Frequent = ({ column, of: frequent, linkTo }) =>
  html`<ul class="frequent" aria-label=${t('profile.frequent')}>
    ${frequent.map(
      ({ value, share }) =>
        html`<li>
          <svg aria-hidden="true" viewBox="0 0 100 10" preserveAspectRatio="none">
            <rect width=${share * 100} height="10" />
          </svg>
          <span title=${String(value)}>${linked(linkTo?.(value), showValue(value, column))}</span>
          <span class="number soft">${percent(share)}</span>
        </li>`,
    )}
  </ul>`

const linked = (address, words) => (address ? html`<a href=${address}>${words}</a>` : words)

/** Shares of all cells, beside one another: `[kind, share]`, where the kinds have words and colours. */
export function ShareBar({ of: shares }) {
  const shown = shares.filter(([, share]) => share > 0)
  const words = shown.map(([kind, share]) => `${t(`profile.${kind}`)} ${percent(share)}`).join(', ')
  let x = 0
  return html`<svg
    class="share-bar"
    role="img"
    aria-label=${words}
    viewBox="0 0 100 4"
    preserveAspectRatio="none"
  >
    <title>${words}</title>
    ${shown.map(([kind, share]) => {
      const from = x
      x += share * 100
      return html`<rect class=${kind} x=${from} width=${share * 100} height="4" />`
    })}
  </svg>`
}

const percent = (share) => showPercent(share, 1)
