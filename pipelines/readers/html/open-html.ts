import type { OptionsOf } from '../../core/format.ts'
import type { Input } from '../../core/input.ts'
import type { ReadContext, Reading } from '../../core/reader.ts'
import { openText } from '../../input/text/open-text.ts'
import { readBook } from '../excel/read-book.ts'
import { BlockWriter } from '../excel/sheet/block-writer.ts'
import { TextBudget } from '../excel/sheet/text-budget.ts'
import { textBook } from '../excel/sheet/text-book.ts'
import type { HTML_OPTIONS } from './html-options.ts'
import { TableParser } from './table-parser.ts'

export async function openHtml(
  input: Input,
  context: ReadContext<OptionsOf<typeof HTML_OPTIONS>>,
): Promise<Reading> {
  const text = openText(input, context)
  const budget = new TextBudget('', context)
  const writer = new BlockWriter(budget, Number.MAX_SAFE_INTEGER)
  const book = textBook(text, writer, new TableParser(writer), input)
  return await readBook('html', book, context)
}
