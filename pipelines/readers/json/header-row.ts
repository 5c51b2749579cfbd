import { EngineError } from '../../core/errors.ts'
import { DEFAULT_LIMITS, type EngineLimits } from '../../core/limits.ts'
import { TEXT_FAULT_MESSAGES } from '../../json/text-faults.ts'
import { CLOSE_ARRAY, COMMA, LETTER_n, OPEN_ARRAY, OPEN_OBJECT, QUOTE } from './bytes.ts'
import { HeaderIndex } from './header-index.ts'
import type { Lexer } from './lexer.ts'
import { jsonMessages } from './messages.ts'
import { jsonSyntaxMessages } from './syntax-messages.ts'

/** No table has as many columns. They are read in one go, and again from the first where the input is not there yet. */
const MOST_NAMES = 10_000

/** An array of column names, above rows that are arrays, or next to them. */
interface HeaderRow {
  readonly names: readonly string[]
  /** The position after its closing bracket. */
  readonly end: number
}

/**
 * The array at `from` as a header; null if it cannot be one, because it is nested or contains no
 * text. A null is a column without a name.
 */
export function readHeaderRow(lexer: Lexer, from: number): HeaderRow | null {
  const { bytes } = lexer.window
  if (bytes[from] !== OPEN_ARRAY) {
    if (from >= lexer.window.limit) lexer.unexpected(from, jsonSyntaxMessages.value())
    return null
  }
  const names: string[] = []
  let holdsText = false
  let p = from
  do {
    p = lexer.skipSpace(p + 1)
    const byte = bytes[p]
    if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) return null
    if (byte === CLOSE_ARRAY && names.length === 0) return null
    const end = lexer.endOfScalar(p)
    const name = nameOf(bytes.toString('utf8', p, end), byte)
    holdsText ||= byte === QUOTE && name.trim() !== ''
    names.push(name)
    if (names.length > MOST_NAMES) {
      if (holdsText) throw tooWide(DEFAULT_LIMITS.columns)
      return null
    }
    p = lexer.skipSpace(end)
  } while (bytes[p] === COMMA)
  if (bytes[p] !== CLOSE_ARRAY) lexer.unexpected(p, jsonSyntaxMessages.commaOr({ sign: ']' }))
  return holdsText ? { names, end: p + 1 } : null
}

function nameOf(text: string, firstByte: number | undefined): string {
  if (firstByte === QUOTE) return JSON.parse(text) as string
  return firstByte === LETTER_n ? '' : text
}

/** Columns with these names, to which cells belong by their position in the row. */
export function columnsByPlace(names: readonly string[], { columns }: EngineLimits): HeaderIndex {
  if (names.length > columns) throw tooWide(columns)
  const headers = new HeaderIndex()
  for (const name of names) {
    refuseUnstorable(name)
    headers.addByPlace(name)
  }
  return headers
}

const tooWide = (most: number) =>
  new EngineError(jsonMessages.wideHeader({ most }), { kind: 'limit', limit: 'columns' })

function refuseUnstorable(name: string): void {
  const isStorable = !name.includes('\0') && name.isWellFormed()
  if (isStorable) return
  const fault = TEXT_FAULT_MESSAGES[name.includes('\0') ? 'nul' : 'lone-surrogate']()
  throw new EngineError(jsonMessages.header({ fault }), { kind: 'structure' })
}
