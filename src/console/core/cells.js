import { showValue } from './values.js'

/** How a value of the API stands in a cell; `raw` is what is copied. */
export function showCell(value, column) {
  if (value === undefined) return null
  if (value === null) return { text: '', kind: 'empty-value' }
  const text = showValue(value, column)
  const raw = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return {
    text,
    raw,
    kind: column.type === 'number' ? 'number' : '',
    title: text !== raw || text.length > 24 ? raw : undefined,
  }
}

const WIDTHS = { number: 120, date: 150, boolean: 90, json: 220, text: 180 }

export const gridColumn = ({ name, type, ...more }) => ({
  key: name,
  label: name,
  type,
  align: type === 'number' ? 'number' : '',
  // Its head has the name, how it is sorted, and what opens its menu.
  width: Math.max(WIDTHS[type] ?? 180, Math.min(260, name.length * 8 + 72)),
  ...more,
})
