import { EngineError } from '../../core/errors.ts'
import type { Input } from '../../core/input.ts'
import type { EngineLimits } from '../../core/limits.ts'
import type { ReadContext, Reading } from '../../core/reader.ts'
import { openText } from '../../input/text/open-text.ts'
import { parsePointer } from '../../json/pointer.ts'
import { CLOSE_ARRAY, LINE_FEED, OPEN_ARRAY, OPEN_OBJECT, QUOTE } from './bytes.ts'
import { ByteWindow } from './byte-window.ts'
import { DocumentWalker } from './document-walker.ts'
import { RowsSearch, type RowsInside, type RowsPlace } from './find-rows.ts'
import { HeaderIndex } from './header-index.ts'
import { columnsByPlace, readHeaderRow } from './header-row.ts'
import type { JsonOptions } from './json-options.ts'
import { JsonReading, type RowsFound } from './json-reading.ts'
import { Lexer } from './lexer.ts'
import { resume } from './resume.ts'
import { RowsEntrance } from './rows-entrance.ts'
import { jsonMessages } from './messages.ts'
import { jsonSyntaxMessages } from './syntax-messages.ts'

/** The header of the column with the keys, if the rows are members of an object. */
const KEY_HEADER = 'Clé'

/** `known`: where the rows are, if whoever opens the input knows it already. */
export async function openJson(
  input: Input,
  context: ReadContext<JsonOptions>,
  known: RowsPlace | null = null,
): Promise<Reading> {
  const text = openText(input, context)
  const lexer = new Lexer(new ByteWindow(text))
  await refuseEmpty(lexer, context)
  const place = known ?? (await placeOfRows(lexer, context))
  return new JsonReading(text, context, lexer, await enter(place, lexer, context))
}

async function refuseEmpty(lexer: Lexer, { limits }: ReadContext): Promise<void> {
  const { window } = lexer
  await resume(lexer, limits, () => {
    lexer.line = window.line
    const first = lexer.skipSpace(window.pos)
    window.pos = first
    window.line = lexer.line
    if (first < window.limit) return
    if (!window.ended) lexer.unexpected(first, jsonSyntaxMessages.document())
    throw new EngineError(jsonMessages.empty(), { kind: 'empty' })
  })
}

async function placeOfRows(
  lexer: Lexer,
  { limits, options }: ReadContext<JsonOptions>,
): Promise<RowsPlace> {
  const { window } = lexer
  const namesRows = options.path !== undefined && options.path !== ''
  if (!namesRows && (await beginsWithHeader(lexer, limits))) {
    return { kind: 'arrays', path: [], columns: null, others: [] }
  }
  if (options.path !== undefined) {
    const path = parsePointer(options.path)
    const isObject = window.bytes[window.pos] === OPEN_OBJECT
    return path.length === 0 && isObject
      ? { kind: 'documents', many: true }
      : { kind: 'array', path, others: [] }
  }
  const search = new RowsSearch(lexer, new DocumentWalker(lexer, limits.jsonDepth))
  window.hold()
  try {
    return await resume(lexer, limits, () => search.step())
  } catch (error) {
    const maySkip = options.onInvalid === 'skip' && isBrokenFirstLine(error, window)
    if (!maySkip) throw error
    return { kind: 'documents', many: true }
  } finally {
    window.rewind()
  }
}

/** Whether the document is an array whose first element can be a header. */
function beginsWithHeader(lexer: Lexer, limits: EngineLimits): Promise<boolean> {
  const { window } = lexer
  return resume(lexer, limits, () => {
    if (window.bytes[window.pos] !== OPEN_ARRAY) return false
    lexer.line = window.line
    return readHeaderRow(lexer, lexer.skipSpace(window.pos + 1)) !== null
  })
}

/** Whether the broken text is the first of several lines that hold a row each. */
function isBrokenFirstLine(error: unknown, window: ByteWindow): boolean {
  if (!(error instanceof EngineError) || error.problem.kind !== 'structure') return false
  const text = window.bytes.subarray(0, window.limit)
  const next = text.indexOf(LINE_FEED, window.heldFrom) + 1
  const brokenAt = (error.problem.offset ?? 0) - window.offset
  return next > 0 && text[next] === OPEN_OBJECT && brokenAt <= next
}

async function enter(found: RowsPlace, lexer: Lexer, context: ReadContext): Promise<RowsFound> {
  const { limits } = context
  const headers = new HeaderIndex()
  if (found.kind === 'documents') {
    return { place: found, headers, entrance: null, elementsRead: () => undefined }
  }
  const walker = new DocumentWalker(lexer, limits.jsonDepth)
  const entrance = new RowsEntrance(lexer, walker, found)
  await resume(lexer, limits, () => entrance.enter())
  const place = await resume(lexer, limits, () => asEntered(found, lexer, entrance))
  const elementsRead = () => walker.elementsRead()
  if (place.kind === 'members') headers.addByPlace(KEY_HEADER)
  if (place.kind === 'texts') headers.addByPlace('')
  if (place.kind !== 'arrays') return { place, headers, entrance, elementsRead }
  if (place.columns === null) entrance.firstRowNames()
  const names = place.columns ?? (await resume(lexer, limits, () => passHeader(lexer)))
  return { place, headers: columnsByPlace(names, limits), entrance, elementsRead }
}

/**
 * What the option `path` names may hold texts; or arrays: under `columns` beside it, or under the
 * first of them.
 */
function asEntered(place: RowsInside, lexer: Lexer, entrance: RowsEntrance): RowsInside {
  if (place.kind !== 'array') return place
  const { window } = lexer
  lexer.line = window.line
  const first = lexer.skipSpace(window.pos)
  if (first >= window.limit) lexer.unexpected(first, jsonSyntaxMessages.value())
  const byte = window.bytes[first]
  if (byte === QUOTE) return { ...place, kind: 'texts' }
  const columns = entrance.columnsBeside
  const holdsArrays = byte === OPEN_ARRAY || (byte === CLOSE_ARRAY && columns !== null)
  return holdsArrays ? { ...place, kind: 'arrays', columns } : place
}

/** Goes on to what follows the header. */
function passHeader(lexer: Lexer): readonly string[] {
  const { window } = lexer
  lexer.line = window.line
  const from = lexer.skipSpace(window.pos)
  const header = readHeaderRow(lexer, from)
  if (header === null) lexer.refuse(from, jsonMessages.namesExpected())
  window.pos = header.end
  window.line = lexer.line
  return header.names
}
