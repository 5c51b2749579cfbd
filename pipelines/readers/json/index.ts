import { jsonMessages } from './messages.ts'
import { EngineError } from '../../core/errors.ts'
import { defineFormat } from '../../core/format.ts'
import type { ReadContext } from '../../core/reader.ts'
import { openText } from '../../input/text/open-text.ts'
import { parsePointer } from '../../json/pointer.ts'
import { LINE_FEED, OPEN_OBJECT } from './bytes.ts'
import { ByteWindow } from './byte-window.ts'
import { DocumentWalker } from './document-walker.ts'
import { RowsSearch, type RowsPlace } from './find-rows.ts'
import { JSON_OPTIONS, type JsonOptions } from './json-options.ts'
import { JsonReading, type RowsFound } from './json-reading.ts'
import { Lexer } from './lexer.ts'
import { recognisesJson } from './recognise-json.ts'
import { resume } from './resume.ts'
import { RowsEntrance } from './rows-entrance.ts'

/**
 * Rows that are objects: the elements of an array, the documents of a sequence (newline-delimited
 * or not), the elements of an array inside a document. Where they are is found by the rule of
 * `RowsSearch`, or named by the option `path`; the empty path makes every document a row.
 */
export const jsonFormat = defineFormat({
  name: 'json',
  messages: jsonMessages,
  sourceType: 'JSON',
  options: JSON_OPTIONS,
  recognises: recognisesJson,
  async open(input, context) {
    const text = openText(input, context)
    const lexer = new Lexer(new ByteWindow(text))
    await refuseEmpty(lexer, context)
    const place = await placeOfRows(lexer, context)
    return new JsonReading(text, context, lexer, await enter(place, lexer, context))
  },
})

async function refuseEmpty(lexer: Lexer, { limits }: ReadContext): Promise<void> {
  const { window } = lexer
  await resume(lexer, limits, () => {
    lexer.line = window.line
    const first = lexer.skipSpace(window.pos)
    window.pos = first
    window.line = lexer.line
    if (first < window.limit) return
    if (!window.ended) lexer.unexpected(first, 'a document')
    throw new EngineError('The file holds no JSON: it is empty, or nothing but white space.', {
      kind: 'empty',
    })
  })
}

async function placeOfRows(
  lexer: Lexer,
  { limits, options }: ReadContext<JsonOptions>,
): Promise<RowsPlace> {
  const { window } = lexer
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

/** Whether what is broken is the first of several lines that hold a row each. */
function isBrokenFirstLine(error: unknown, window: ByteWindow): boolean {
  if (!(error instanceof EngineError) || error.problem.kind !== 'structure') return false
  const text = window.bytes.subarray(0, window.limit)
  const next = text.indexOf(LINE_FEED, window.heldFrom) + 1
  const brokenAt = (error.problem.offset ?? 0) - window.offset
  return next > 0 && text[next] === OPEN_OBJECT && brokenAt <= next
}

async function enter(place: RowsPlace, lexer: Lexer, context: ReadContext): Promise<RowsFound> {
  if (place.kind === 'documents') return { place, entrance: null, elementsRead: () => undefined }
  const walker = new DocumentWalker(lexer, context.limits.jsonDepth)
  const entrance = new RowsEntrance(lexer, walker, place.path)
  await resume(lexer, context.limits, () => entrance.enter())
  return { place, entrance, elementsRead: () => walker.elementsRead() }
}
