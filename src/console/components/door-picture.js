import { html } from '../core/ui.js'

/** Of a sheet as people send it: what each line is, how wide its cells are, and which cell does not fit. */
const LINES = [
  ['title', 112],
  ['title', 74],
  ['header', 34, 28, 38],
  ['row', 30, 22, 34],
  ['row', 36, 24, 28],
  ['row', 26, 26, 32, 1],
  ['row', 32, 20, 36],
  ['note', 90],
]
const ROWS = LINES.filter(([kind]) => kind === 'header' || kind === 'row')
const STEP = 19

/** What the product is for: a sheet with titles, notes and a cell that does not fit, and the table that it becomes. */
export const DoorPicture = () =>
  html`<svg class="door-picture" viewBox="0 0 400 208" aria-hidden="true" focusable="false">
    <rect class="paper" x="1" y="25" width="162" height=${LINES.length * STEP + 6} rx="6" />
    ${LINES.map(([kind, ...cells], line) => html`<${Line} ...${{ kind, cells, x: 11, y: 34 + line * STEP }} />`)}
    <path class="way" d="M180 104h36m-9-9 9 9-9 9" />
    <rect class="paper" x="233" y="44" width="166" height=${ROWS.length * 23 + 1} rx="6" />
    ${ROWS.map(([kind, first, second, third], row) => {
      const y = 56 + row * 23
      return html`${row > 0 && html`<path class="rule" d=${`M233 ${y - 9}h166`} />`}
        <rect class=${kind} x="243" y=${y} width=${first} height="6" rx="3" />
        <rect class=${kind} x="300" y=${y} width=${second} height="6" rx="3" />
        <rect class=${kind} x=${389 - third} y=${y} width=${third} height="6" rx="3" />`
    })}
    <path class="rule" d="M290 44v115M340 44v115" />
  </svg>`

const Line = ({ kind, cells: [first, second, third, wrong], x, y }) =>
  html`<rect class=${kind} x=${x} y=${y} width=${first} height="6" rx="3" />
    ${second && html`<rect class=${wrong ? 'wrong' : kind} x=${x + 50} y=${y} width=${second} height="6" rx="3" />`}
    ${third && html`<rect class=${kind} x=${x + 96} y=${y} width=${third} height="6" rx="3" />`}`
