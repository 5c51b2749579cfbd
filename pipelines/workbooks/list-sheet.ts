import type { CellError } from '../core/errors.ts'
import type { Message } from '../core/message.ts'
import { cutText } from '../core/cut-text.ts'
import { columnLetters } from '../cells/column-letters.ts'
import { markMessages } from './mark-messages.ts'
import type { MarkedStyles } from './marked-styles.ts'
import { XML_START, xmlAttribute, xmlText } from './xml-text.ts'

/** An error, and its cell: `Sheet!B12`; null: it has none. */
export interface ListedError extends CellError {
  readonly link: string | null
}

export interface ErrorList {
  readonly errors: readonly ListedError[]
  readonly total: number
  say(message: Message): string
}

/** The longest text of a cell that Excel accepts. */
const LONGEST_TEXT = 32_767
const HEADER_ROW = 4
const WIDTHS = [14, 8, 24, 32, 80, 18]

/** The sheet that says what is to be corrected, with a link to each cell. */
export function* listSheet(
  { errors, total, say }: ErrorList,
  styles: MarkedStyles,
  namespace: string,
): Generator<string> {
  const widths = WIDTHS.map(
    (width, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`,
  )
  yield `${XML_START}<worksheet xmlns="${namespace}"><sheetViews><sheetView workbookViewId="0">`
  yield `<pane ySplit="${HEADER_ROW}" topLeftCell="A${HEADER_ROW + 1}" activePane="bottomLeft" state="frozen"/>`
  yield `</sheetView></sheetViews><cols>${widths.join('')}</cols><sheetData>`
  yield row(1, [text(summary({ errors, total }, say), styles.header)])
  yield row(2, [text(total === 0 ? '' : say(markMessages.howTo()), 0)])
  const { cell, line, column, value, problem, rule } = markMessages
  const headers = [cell, line, column, value, problem, rule]
  yield row(
    HEADER_ROW,
    headers.map((header) => text(say(header()), styles.header)),
  )
  for (const [at, error] of errors.entries())
    yield errorRow(HEADER_ROW + 1 + at, error, say, styles)
  yield '</sheetData>'
  const links = errors.flatMap(({ link }, at) => (link === null ? [] : [linkXml(at, link)]))
  if (links.length > 0) yield `<hyperlinks>${links.join('')}</hyperlinks>`
  yield '</worksheet>'
}

function summary({ errors, total }: Pick<ErrorList, 'errors' | 'total'>, say: ErrorList['say']) {
  if (total === 0) return say(markMessages.nothing())
  const listed = errors.length
  return say(
    listed < total ? markMessages.first({ total, listed }) : markMessages.toCorrect({ total }),
  )
}

const errorRow = (
  number: number,
  { link, line, row: ordinal, column, value, message, rule = 'type' }: ListedError,
  say: ErrorList['say'],
  styles: MarkedStyles,
): string =>
  row(number, [
    link === null ? text('', 0) : text(cellOf(link), styles.link),
    (reference) => `<c r="${reference}"><v>${line ?? ordinal}</v></c>`,
    text(column, styles.text),
    text(value, styles.text),
    text(say(message), styles.text),
    text(rule, styles.text),
  ])

type WriteCell = (reference: string) => string

const row = (number: number, cells: readonly WriteCell[]): string =>
  `<row r="${number}">${cells.map((write, at) => write(`${columnLetters(at)}${number}`)).join('')}</row>`

const text =
  (value: string, style: number): WriteCell =>
  (reference) =>
    value === ''
      ? ''
      : `<c r="${reference}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${xmlText(
          cutText(value, LONGEST_TEXT),
        )}</t></is></c>`

const linkXml = (at: number, link: string): string =>
  `<hyperlink ref="A${HEADER_ROW + 1 + at}" location="${xmlAttribute(link)}" display="${cellOf(link)}"/>`

export const cellOf = (place: string): string => place.slice(place.lastIndexOf('!') + 1)
