import { type BenchmarkResult, type MeasuredContender, median } from '../benchmark.ts'
import { rounded } from './describe-case.ts'

const WIDTH = 820
const MARGIN = 20
const NAMES = 330
const VALUES = 110
const ROW = 34
const BAR = 18
const TITLE = 62
const BARS = WIDTH - 2 * MARGIN - NAMES - VALUES

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
  other: '#b4bec8',
}
const DARK: Colours = {
  ground: '#15191f',
  text: '#e6edf3',
  faint: '#9aa7b4',
  ours: '#3f8fe0',
  other: '#4d5865',
}

/** No variables: not everything that draws SVG knows them. */
const rules = ({ ground, text, faint, ours, other }: Colours) => `
  text { fill: ${text}; } .faint { fill: ${faint}; } .ground { fill: ${ground}; }
  .ours { fill: ${ours}; } .other { fill: ${other}; } .mark { stroke: ${text}; }`

/** Both schemes, on a ground of its own: readable on any page. */
const STYLE = `
  text { font: 13px system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif; }
  .title { font-weight: 600; font-size: 15px; } .faint { font-size: 12px; } .mark { stroke-width: 1.5; fill: none; }
  ${rules(LIGHT)}
  @media (prefers-color-scheme: dark) {${rules(DARK)}
  }`

/** One bar a contender: its median, with a mark from the lowest to the highest run. */
export function barChart(title: string, { input, contenders }: BenchmarkResult): string {
  const height = TITLE + contenders.length * ROW + MARGIN
  const highest = Math.max(...contenders.flatMap(({ samples }) => samples))
  const unit = contenders[0]?.unit ?? 's'
  const better = unit === 's' ? 'seconds, shorter is better' : `${unit}, longer is better`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="${escape(title)}">`,
    `<style>${STYLE}\n</style>`,
    `<rect class="ground" width="${WIDTH}" height="${height}" rx="8"/>`,
    `<text class="title" x="${MARGIN}" y="28">${escape(title)}</text>`,
    `<text class="faint" x="${MARGIN}" y="47">${escape(`${input} · ${better}`)}</text>`,
    ...contenders.map((contender, index) => bar(contender, TITLE + index * ROW, highest)),
    '</svg>',
    '',
  ].join('\n')
}

function bar({ name, samples, isOurs, unit }: MeasuredContender, top: number, highest: number) {
  const left = MARGIN + NAMES
  const at = (value: number) => left + (value / highest) * BARS
  const middle = top + ROW / 2
  const value = median(samples)
  const [lowest, most] = [at(Math.min(...samples)), at(Math.max(...samples))]
  return [
    `<text x="${left - 10}" y="${middle + 4}" text-anchor="end">${escape(name)}</text>`,
    `<rect class="${isOurs ? 'ours' : 'other'}" x="${left}" y="${middle - BAR / 2}" width="${(at(value) - left).toFixed(1)}" height="${BAR}" rx="3"/>`,
    `<path class="mark" d="M${lowest.toFixed(1)} ${middle}H${most.toFixed(1)}M${lowest.toFixed(1)} ${middle - 4}v8M${most.toFixed(1)} ${middle - 4}v8"/>`,
    `<text x="${(Math.max(most, at(value)) + 8).toFixed(1)}" y="${middle + 4}">${rounded(value)} ${unit === 's' ? 's' : '/s'}</text>`,
  ].join('\n')
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '"': '&quot;' }

function escape(text: string): string {
  return text.replaceAll(/[&<"]/g, (character) => ENTITIES[character]!)
}
