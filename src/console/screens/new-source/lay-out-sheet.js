/** Words that stand for nothing, wherever everything else in a column agrees on a type. */
const NOTHING = /^(?:null|undefined|n\/a|na|#n\/a|-|\\n)$/i
/** Written where there is no date: nought, Excel's first days, the epoch. */
const NO_DATE = /^0(?:[.,]0)?$|1899|1900|1970/

/**
 * The rows of a file as they stand, each with what it was taken for, and the value that each cell
 * becomes. Rows of the table follow one another in both answers, so they are laid side by side.
 */
export function layOutSheet({ typed, sheet }) {
  if (sheet === null) return withoutSheet(typed)
  const lines = sheet.data.map((row) => sheet.columns.map(({ name }) => row[name]))
  const first = findFirstRow(typed, lines)
  const { titles, headers } = aboveTable(typed, first)
  const noteTexts = new Set((typed.table?.notes ?? []).map(({ text }) => text))
  return lines.map((cells, at) => {
    if (at < first) {
      const kind = at < titles || headers === 0 ? 'title' : 'header'
      return { kind, number: lineOf(typed, at), cells, values: null }
    }
    const values = typed.data[at - first]
    const text = cells.filter(Boolean).join(' ')
    if (!values && (noteTexts.has(text) || !typed.isSample))
      return { kind: 'note', cells, values: null }
    return { kind: 'data', number: at - first + 1, cells, values: values ?? null }
  })
}

/** Formats without other rows: what the service made of each is all there is. */
function withoutSheet(typed) {
  return typed.data.map((values, at) => ({
    kind: 'data',
    number: at + 1,
    cells: typed.columns.map(({ name }) => values[name]),
    values,
  }))
}

const COMPARED_ROWS = 8

/** Which row of the sheet the table begins with: the one from which on both say the same. */
function findFirstRow({ columns, data }, lines) {
  const texts = columns.flatMap(({ name, type }, at) => (type === 'text' ? [{ name, at }] : []))
  const likeness = (first) => {
    let same = 0
    for (let row = 0; row < Math.min(COMPARED_ROWS, data.length); row++) {
      const cells = lines[first + row]
      if (cells === undefined) return same
      for (const { name, at } of texts) if ((cells[at] ?? null) === data[row][name]) same += 2
      for (const [at, { name, type }] of columns.entries()) {
        if (type !== 'text' && (cells[at] === null) === (data[row][name] === null)) same += 1
      }
    }
    return same
  }
  let best = 0
  let most = -1
  for (let first = 0; first < lines.length; first++) {
    const same = likeness(first)
    if (same > most) [best, most] = [first, same]
  }
  return data.length === 0 ? Math.min(1, lines.length) : best
}

function aboveTable({ table, dialect }, first) {
  const headers = table ? table.header.rows.length : dialect?.header?.row === 0 ? 0 : 1
  return { titles: Math.max(0, first - headers), headers: Math.min(first, headers) }
}

function lineOf({ table }, at) {
  const lines = [...(table?.titles ?? []).map(({ line }) => line), ...(table?.header.rows ?? [])]
  return lines[at] ?? at + 1
}

/** What becomes of one cell: it is taken, it means nothing, or it does not fit. */
export function judgeCell(text, value, type, nullValues = []) {
  if (value !== null || text === null || text === undefined || String(text).trim() === '')
    return 'taken'
  const trimmed = String(text).trim()
  if (NOTHING.test(trimmed) || nullValues.includes(trimmed)) return 'nothing'
  if (type === 'date' && NO_DATE.test(trimmed)) return 'nothing'
  return 'invalid'
}
