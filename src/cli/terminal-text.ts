import { cutText } from '../../pipelines/index.ts'
import type { Remedy, Warning } from '../../pipelines/index.ts'

const COLUMN_GAP = '  '
const WIDEST_CELL = 40

export function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `${title}\n${lines.map((line) => `  ${line}\n`).join('')}`
}

export const misfits = (cells: number): string =>
  cells === 1 ? '1 cell does not fit its column' : `${cells} cells do not fit their columns`

export const columnCount = ({ length }: readonly unknown[]): string =>
  length === 1 ? '1 column' : `${length} columns`

/** Prefixed with the line that the warning is about, if there is one, and followed by what would help. */
export const warningLines = ({ message, line, remedies = [] }: Warning): string[] => [
  plain(line === undefined ? String(message) : `line ${line}: ${String(message)}`),
  ...remedies.map((remedy) => `  ${remedyLine(remedy)}`),
]

/** What would help, as it is to be written behind the command. */
export const remedyLine = ({ message, options }: Remedy): string =>
  plain(`${String(message)} --options '${JSON.stringify(options)}'`)

export function table(titles: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const all = [titles, ...rows].map((row) => row.map(inOneLine))
  const widths = titles.map((_, column) => Math.max(...all.map((row) => row[column]!.length)))
  return all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join(COLUMN_GAP)
      .trimEnd(),
  )
}

function inOneLine(text: string): string {
  const shownText = plain(text)
  return shownText.length <= WIDEST_CELL ? shownText : cutText(shownText, WIDEST_CELL - 1, '…')
}

/** Control characters of a file must not reach the terminal. */
export function plain(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ')
}
