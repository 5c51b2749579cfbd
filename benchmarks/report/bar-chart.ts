import {
  type BenchmarkResult,
  isLessBetter,
  type MeasuredContender,
  median,
  type Unit,
} from '../benchmark.ts'
import { rounded } from './describe-case.ts'

const WIDTH = 820
const MARGIN = 20
const VALUES = 110
const ROW = 34
const BAR = 18
const TITLE = 62
const LEGEND = 40
/** Of a letter at 13 and at 12 px, as wide as the widest of the fonts below draws it on average. */
const LETTER = 7.2
const FAINT_LETTER = 6.8
/** Between a name and its bar, a bar and its value, a sign of the legend and its word. */
const GAP = 10

interface Colours {
  readonly ground: string
  readonly text: string
  readonly faint: string
  readonly ours: string
  readonly other: string
}

const LIGHT: Colours = {
  ground: '#ffffff',
  text: '#1f2328',
  faint: '#59636e',
  ours: '#0b6bcb',
  other: '#8894a0',
}
const DARK: Colours = {
  ground: '#15191f',
  text: '#e6edf3',
  faint: '#9aa7b4',
  ours: '#3f8fe0',
  other: '#5f6c7a',
}

/** No variables: not everything that draws SVG knows them. */
const rules = ({ ground, text, faint, ours, other }: Colours) => `
  text { fill: ${text}; } .faint { fill: ${faint}; } .ground { fill: ${ground}; }
  .ours { fill: ${ours}; } .other { fill: ${other}; } .mark { stroke: ${text}; }`

/** Both schemes, on a ground of its own: readable on any page. */
const STYLE = `
  text { font: 13px system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif; }
  .title { font-weight: 600; font-size: 14px; } .faint { font-size: 12px; } .mark { stroke-width: 1.5; fill: none; }
  ${rules(LIGHT)}
  @media (prefers-color-scheme: dark) {${rules(DARK)}
  }`

/** One bar a contender: its median, with a mark from the lowest to the highest run. */
export function barChart(title: string, { input, contenders }: BenchmarkResult): string {
  const bottom = TITLE + contenders.length * ROW
  const height = bottom + LEGEND
  // The longest name takes what it needs, the bars all that is left.
  const left = MARGIN + Math.max(...contenders.map(({ name }) => name.length)) * LETTER + GAP
  const highest = Math.max(...contenders.flatMap(({ samples }) => samples))
  const unit = contenders[0]?.unit ?? 's'
  const name = unit === 's' ? 'seconds' : unit
  const better = `${name}, ${isLessBetter(unit) ? 'shorter' : 'longer'} is better`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="${escape(title)}">`,
    `<style>${STYLE}\n</style>`,
    `<rect class="ground" width="${WIDTH}" height="${height}" rx="8"/>`,
    `<text class="title" x="${MARGIN}" y="28">${escape(title)}</text>`,
    `<text class="faint" x="${MARGIN}" y="47">${escape(`${input} · ${better}`)}</text>`,
    ...contenders.map((contender, index) =>
      bar(contender, { left, top: TITLE + index * ROW, highest }),
    ),
    legend(contenders, bottom + LEGEND / 2 - 2),
    '</svg>',
    '',
  ].join('\n')
}

/** What stands behind a value. */
const SIGN_OF: Readonly<Record<Unit, string>> = { s: ' s', 'requests/s': ' /s', blocks: '' }

interface Place {
  /** Where the bars begin. */
  readonly left: number
  readonly top: number
  /** What the longest bar stands for. */
  readonly highest: number
}

function bar({ name, samples, isOurs, unit }: MeasuredContender, { left, top, highest }: Place) {
  const longest = WIDTH - MARGIN - VALUES - left
  const at = (value: number) => left + (value / highest) * longest
  const middle = top + ROW / 2
  const value = median(samples)
  const [lowest, most] = [at(Math.min(...samples)), at(Math.max(...samples))]
  return [
    `<text x="${(left - GAP).toFixed(1)}" y="${middle + 4}" text-anchor="end">${escape(name)}</text>`,
    `<rect class="${isOurs ? 'ours' : 'other'}" x="${left.toFixed(1)}" y="${middle - BAR / 2}" width="${(at(value) - left).toFixed(1)}" height="${BAR}" rx="3"/>`,
    mark(lowest, most, middle),
    `<text x="${(Math.max(most, at(value)) + GAP).toFixed(1)}" y="${middle + 4}">${rounded(value)}${SIGN_OF[unit]}</text>`,
  ].join('\n')
}

function mark(from: number, to: number, middle: number): string {
  const [start, end] = [from.toFixed(1), to.toFixed(1)]
  return `<path class="mark" d="M${start} ${middle}H${end}M${start} ${middle - 4}v8M${end} ${middle - 4}v8"/>`
}

const SIGN = 14

/** What colours and marks mean. */
const SIGNS: readonly {
  readonly word: string
  draw(x: number, middle: number): string
  isShown(contender: MeasuredContender): boolean
}[] = [
  { word: 'this product', draw: square('ours'), isShown: ({ isOurs }) => isOurs === true },
  {
    word: 'what it is compared with',
    draw: square('other'),
    isShown: ({ isOurs }) => isOurs !== true,
  },
  {
    word: 'lowest to highest run',
    draw: (x, middle) => mark(x, x + SIGN, middle),
    isShown: () => true,
  },
]

/** Of those signs that the plot shows. */
function legend(contenders: readonly MeasuredContender[], middle: number): string {
  let next = MARGIN
  return SIGNS.filter(({ isShown }) => contenders.some(isShown))
    .map(({ word, draw }) => {
      const x = next
      const wordAt = x + SIGN + GAP / 2
      next = wordAt + word.length * FAINT_LETTER + GAP
      return `${draw(x, middle)}\n<text class="faint" x="${wordAt.toFixed(1)}" y="${middle + 4}">${word}</text>`
    })
    .join('\n')
}

function square(kind: 'ours' | 'other') {
  return (x: number, middle: number) =>
    `<rect class="${kind}" x="${x.toFixed(1)}" y="${middle - 6}" width="${SIGN}" height="12" rx="2"/>`
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '"': '&quot;' }

function escape(text: string): string {
  return text.replaceAll(/[&<"]/g, (character) => ENTITIES[character]!)
}
