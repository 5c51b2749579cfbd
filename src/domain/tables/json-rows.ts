/** Rows as JSON text, keyed by header. Written by hand, so that every digit of a number survives. */
export function jsonObjectWriter(
  headers: readonly string[],
): (cells: readonly (string | null)[]) => string {
  // As text, `__proto__` is a key like any other.
  const keys = headers.map((header) => `${JSON.stringify(header)}:`)
  return (cells) => {
    let text = '{'
    for (let at = 0; at < keys.length; at++) {
      text += `${at === 0 ? '' : ','}${keys[at]}${cells[at] ?? 'null'}`
    }
    return `${text}}`
  }
}

export function jsonRows(
  headers: readonly string[],
  rows: readonly (readonly (string | null)[])[],
): string {
  return `[${rows.map(jsonObjectWriter(headers)).join(',')}]`
}
