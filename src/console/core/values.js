import { language, t } from './language.js'

const DATES = {
  fr: { day: '2-digit', month: '2-digit', year: 'numeric' },
  en: { day: 'numeric', month: 'short', year: 'numeric' },
}
const TIMES = { hour: '2-digit', minute: '2-digit', second: '2-digit' }

const made = new Map()

/** Formats are expensive to make, and the same for thousands of cells. */
function formatOf(key, make) {
  const known = made.get(key)
  if (known) return known
  const format = make()
  made.set(key, format)
  return format
}

/**
 * A value of a table as people of the reader's language write it: 1 240,50; oui; 31/03/2026. Whole
 * numbers of four digits may be years, and are not grouped where the column has nothing else.
 */
export function showValue(value, { type, sqlType }) {
  if (value === null || value === undefined) return ''
  if (typeof value === 'object') return JSON.stringify(value)
  if (type === 'number') return showDigits(String(value), sqlType)
  if (type === 'boolean') return t(value ? 'yes' : 'no')
  return type === 'date' ? showDate(String(value)) : String(value)
}

const DECIMAL = /^-?\d+(?:\.(\d+))?$/

function showDigits(digits, sqlType) {
  const [, fraction = ''] = DECIMAL.exec(digits) ?? []
  if (!DECIMAL.test(digits) || fraction.length > 100) return digits
  const name = language.value
  const grouping = sqlType === 'bigint' ? 'min2' : 'always'
  const format = formatOf(
    `${name} ${grouping} ${fraction.length}`,
    () =>
      new Intl.NumberFormat(name, {
        useGrouping: grouping,
        minimumFractionDigits: fraction.length,
        maximumFractionDigits: fraction.length,
      }),
  )
  // A text keeps every digit.
  return format.format(digits)
}

/** Instants are those of the table, in UTC. */
function showDate(text) {
  const hasTime = text.includes('T')
  const date = new Date(hasTime ? text : `${text}T00:00:00Z`)
  if (Number.isNaN(date.getTime())) return text
  const name = language.value
  const format = formatOf(
    `${name} ${hasTime}`,
    () =>
      new Intl.DateTimeFormat(name, {
        ...DATES[name],
        ...(hasTime && TIMES),
        timeZone: 'UTC',
      }),
  )
  return format.format(date)
}
