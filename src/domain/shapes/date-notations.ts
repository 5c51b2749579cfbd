import { faultOfPattern, STRPTIME_PART, type UiDateFormat } from '../../../pipelines/index.ts'
import type { ShapeColumn } from '../../resources/shape.ts'

/** How dates are written. */
type Notation = Pick<ShapeColumn, 'dateFormat' | 'pattern'>

/** Beside the letters of strptime, which a Table Schema has. */
const FORMATS: Readonly<Record<UiDateFormat, string>> = {
  'DD/MM/YYYY': '%d/%m/%Y',
  'MM/DD/YYYY': '%m/%d/%Y',
  'YYYY-MM-DD': '%Y-%m-%d',
  'DD-MM-YYYY': '%d-%m-%Y',
}

/** Of several letters, the last stands for what strptime says. Names of months are of a language, which it leaves open. */
const LETTERS = [
  ['y', '%Y'],
  ['yyyy', '%Y'],
  ['yy', '%y'],
  ['M', '%m'],
  ['L', '%m'],
  ['LL', '%m'],
  ['MM', '%m'],
  ['d', '%d'],
  ['dd', '%d'],
  ['H', '%H'],
  ['HH', '%H'],
  ['m', '%M'],
  ['mm', '%M'],
  ['s', '%S'],
  ['ss', '%S'],
] as const
const STRPTIME = new Map<string, string>(LETTERS)
const OURS = new Map<string, string>(LETTERS.map(([ours, theirs]) => [theirs, ours]))

/** Quoted text, a run of one letter, or anything else. */
const OUR_PART = /'([^']*)'|([A-Za-z])\2*|[^A-Za-z']+/g

/** Null: strptime has no word for it. */
export function toStrptime({ dateFormat, pattern }: Notation): string | null {
  if (dateFormat) return FORMATS[dateFormat]
  if (!pattern) return null
  const parts = [...pattern.matchAll(OUR_PART)].map(([written, quoted, letter]) =>
    letter === undefined ? (quoted ?? written).replaceAll('%', '%%') : STRPTIME.get(written),
  )
  return parts.includes(undefined) ? null : parts.join('')
}

/** Null: there is no word for it here. */
export function fromStrptime(format: string): Notation | null {
  const known = (Object.keys(FORMATS) as UiDateFormat[]).find((each) => FORMATS[each] === format)
  if (known !== undefined) return { dateFormat: known }
  // Years of two digits are read by that format as well.
  if (format === '%d/%m/%y') return { dateFormat: 'DD/MM/YYYY' }
  if (format.includes("'")) return null
  const parts = [...format.matchAll(STRPTIME_PART)].map(([written]) => {
    if (written === '%%') return '%'
    if (written.startsWith('%')) return OURS.get(written)
    return /^[A-Za-z]/.test(written) ? `'${written}'` : written
  })
  if (parts.includes(undefined)) return null
  const pattern = parts.join('')
  return faultOfPattern(pattern) === null ? { pattern } : null
}

/** Whether dates of a format of strptime can be read here. */
export const isStrptime = (format: string): boolean => fromStrptime(format) !== null
