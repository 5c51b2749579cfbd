import { type StoredColumn, toJsonText } from '../table/stored-column.ts'

/**
 * Writes rows as JSON text, keyed by header. Not with `JSON.stringify`, so that every digit of a
 * number survives.
 */
export function jsonObjectWriter(
  headers: readonly string[],
): (cells: readonly (string | null)[]) => string {
  // In text, `__proto__` is a key like any other.
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

/** As JSON it may be six times as long. */
const SLICE_CHARACTERS = 64 * 1024

/** The same for a row with long cells, in pieces. */
export function* jsonObjectSlices(
  columns: readonly Pick<StoredColumn, 'name' | 'sqlType'>[],
  row: readonly (string | null)[],
): Generator<string> {
  for (const [at, column] of columns.entries()) {
    const text = row[at] ?? null
    yield `${at === 0 ? '{' : ','}${JSON.stringify(column.name)}:`
    if (column.sqlType === 'text' && text !== null) yield* slicesOfText(text)
    else yield toJsonText(column)(text) ?? 'null'
  }
  yield columns.length === 0 ? '{}' : '}'
}

function* slicesOfText(text: string): Generator<string> {
  yield '"'
  for (let at = 0; at < text.length;) {
    const end = at + SLICE_CHARACTERS
    // A surrogate pair is not split.
    const next = isHigh(text.charCodeAt(end - 1)) ? end - 1 : end
    yield JSON.stringify(text.slice(at, next)).slice(1, -1)
    at = next
  }
  yield '"'
}

const isHigh = (code: number): boolean => code >= 0xd800 && code <= 0xdbff
