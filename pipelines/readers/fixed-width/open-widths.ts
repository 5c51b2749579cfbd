import { EngineError, onlyWhiteSpace } from '../../core/errors.ts'
import type { OptionsOf } from '../../core/format.ts'
import type { Input } from '../../core/input.ts'
import type { ReadContext, Reading } from '../../core/reader.ts'
import { openText } from '../../input/text/open-text.ts'
import { readBook } from '../excel/read-book.ts'
import { BlockWriter } from '../excel/sheet/block-writer.ts'
import { TextBudget } from '../excel/sheet/text-budget.ts'
import { textBook } from '../excel/sheet/text-book.ts'
import { findWidths } from './find-widths.ts'
import { LineParser } from './line-parser.ts'
import type { WIDTH_OPTIONS } from './width-options.ts'
import { fixedWidthMessages } from './messages.ts'

export async function openWidths(
  input: Input,
  context: ReadContext<OptionsOf<typeof WIDTH_OPTIONS>>,
): Promise<Reading> {
  const text = openText(input, context)
  const sample = text.head.toString('utf8')
  if (text.isWhole && sample.trim() === '') throw onlyWhiteSpace()
  const { widths: given } = context.options
  const found =
    given === undefined
      ? findWidths(sample, text.isWhole, 'named')
      : { widths: given, ruler: null, gaps: [], firstLine: 1 }
  if (found === null) throw noWidths()
  const budget = new TextBudget('', context)
  const writer = new BlockWriter(budget, Number.MAX_SAFE_INTEGER)
  const book = textBook(text, writer, new LineParser(writer, found), input)
  return await readBook('fixed-width', book, context)
}

function noWidths(): EngineError {
  return new EngineError(fixedWidthMessages.noWidths(), { kind: 'options', pointer: '/widths' })
}
