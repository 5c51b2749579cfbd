/** RFC 4180, as the service writes it: commas, quotes doubled inside of quotes. */
export function readCsv(text) {
  const rows = []
  let row = []
  let cell = ''
  let isQuoted = false
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]
    if (isQuoted) {
      if (sign !== '"') cell += sign
      else if (text[at + 1] === '"') {
        cell += '"'
        at++
      } else isQuoted = false
    } else if (sign === '"') isQuoted = true
    else if (sign === ',') {
      row.push(cell)
      cell = ''
    } else if (sign === '\n') {
      rows.push([...row, cell])
      row = []
      cell = ''
    } else if (sign !== '\r') cell += sign
  }
  if (cell !== '' || row.length > 0) rows.push([...row, cell])
  return rows
}

export const writeCsv = (rows) => rows.map((row) => `${row.map(writeCell).join(',')}\r\n`).join('')

const writeCell = (cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
