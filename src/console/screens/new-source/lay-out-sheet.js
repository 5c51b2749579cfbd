/** Words that stand for nothing, wherever everything else in a column agrees on a type. */
const NOTHING = /^(?:null|undefined|n\/a|na|#n\/a|-|\\n)$/i
/** Written where there is no date: nought, Excel's first days, the epoch. */
const NO_DATE = /^0(?:[.,]0)?$|1899|1900|1970/

/**
 * The lines of a file as they stand, each with what the service took it for, and the value that each
 * cell becomes: `{ line, kind, cells, values }`. What the service names no role for is left out.
 */
export function layOutSheet({ typed, sheet }) {
  const taken = takenLines(typed)
  if (sheet === null) return withoutSheet(typed, taken)
  const byLine = new Map(taken.map((one) => [one.line, one]))
  const own = sheet.lines.filter(({ role }) => role === 'data')
  const shift = columnOf(typed) - columnOf(sheet)
  const names = sheet.columns.map(({ name }) => name).slice(shift)
  return sheet.data.map((row, at) => {
    const { line } = own[at]
    const { kind, values } = byLine.get(line) ?? { kind: 'left', values: null }
    return { line, kind, cells: names.map((name) => row[name]), values }
  })
}

function takenLines({ lines, data }) {
  let row = 0
  return lines.map(({ line, role }) => ({
    line,
    kind: role,
    values: role === 'data' ? data[row++] : null,
  }))
}

/** Formats without other rows: what the service made of each is all there is. Many may share a line. */
const withoutSheet = ({ columns }, taken) =>
  taken
    .map(({ kind, values }, at) => ({ line: at + 1, kind, values }))
    .filter(({ values }) => values !== null)
    .map((row) => ({ ...row, cells: columns.map(({ name }) => row.values[name]) }))

/** A table may begin further to the right than the titles above it; only workbooks say where. */
function columnOf({ dialect }) {
  const letters = dialect?.firstColumn ?? 'A'
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
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
