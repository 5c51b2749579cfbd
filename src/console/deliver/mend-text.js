/** A longer file is mended where it came from. */
const MOST_BYTES = 5_000_000
const DELIMITERS = [';', ',', '\t', '|']

/** The text of a file that can be mended here; null: it cannot. */
export async function textOf(file) {
  if (file.size > MOST_BYTES || !/\.(?:csv|tsv|txt)$/i.test(file.name)) return null
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
    return decoder.decode(await file.arrayBuffer())
  } catch {
    // Another code page; what would be written back would be of a second one.
    return null
  }
}

/**
 * Where the cell of an error stands in the text: `{ start, end, delimiter }`. Null unless exactly what
 * the service read is found there.
 */
export function placeOf(text, lines, { line, value }, index) {
  const start = lines[line - 1]
  if (start === undefined || index === -1 || value === undefined) return null
  for (const delimiter of DELIMITERS) {
    const cell = cellsAt(text, start, delimiter)[index]
    if (cell && unquoted(text.slice(cell.start, cell.end)).trim() === value.trim()) {
      return { ...cell, delimiter }
    }
  }
  return null
}

/** Where each line begins. */
export function linesOf(text) {
  const lines = [text.startsWith('\uFEFF') ? 1 : 0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines.push(at + 1)
  return lines
}

function cellsAt(text, start, delimiter) {
  const cells = []
  let from = start
  let isQuoted = false
  for (let at = start; at <= text.length; at++) {
    const sign = text[at]
    if (sign === '"') isQuoted = !isQuoted
    else if (at === text.length || (!isQuoted && (sign === delimiter || sign === '\n'))) {
      cells.push({ start: from, end: at > from && text[at - 1] === '\r' ? at - 1 : at })
      if (sign !== delimiter) break
      from = at + 1
    }
  }
  return cells
}

const unquoted = (cell) =>
  /^\s*".*"\s*$/s.test(cell) ? cell.trim().slice(1, -1).replaceAll('""', '"') : cell

/** The file with other texts in these places: `[{ text, place, value }]`. */
export function mended(file, mends) {
  let [{ text }] = mends
  const later = mends.toSorted((a, b) => b.place.start - a.place.start)
  for (const { place, value } of later) {
    const needsQuotes = value.includes(place.delimiter) || /["\r\n]/.test(value)
    const written = needsQuotes ? `"${value.replaceAll('"', '""')}"` : value
    text = text.slice(0, place.start) + written + text.slice(place.end)
  }
  return new File([text], file.name, { type: file.type })
}
