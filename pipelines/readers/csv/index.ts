import { onlyWhiteSpace } from '../../core/errors.ts'
import type { ReadContext, Reader, Reading } from '../../core/reader.ts'
import { readHead, withHead } from '../../input/byte-flow.ts'
import { openText, type TextInput } from '../../input/open-text.ts'
import { checkDialect, type Dialect, isPlain } from './dialect.ts'
import { Feed } from './feed.ts'
import { openGeneralReading } from './general-reading.ts'
import { openRangeReading } from './range-reading.ts'
import { sniffDialect } from './sniff-dialect.ts'

const SAMPLE_BYTES = 64 * 1024

export type ChooseReader = (dialect: Dialect) => 'ranges' | 'general'

export interface CsvReaderOptions {
  /**
   * Which of the two readers a dialect gets. They agree on every dialect that both know, and the
   * fast one is the default wherever it does: another choice is for comparing the two.
   */
  readonly choose?: ChooseReader
}

const fastWherePossible: ChooseReader = (dialect) => (isPlain(dialect) ? 'ranges' : 'general')

/** Delimited text, its dialect found from the first bytes wherever the options do not name it. */
export function createCsvReader({ choose = fastWherePossible }: CsvReaderOptions = {}): Reader {
  return {
    name: 'csv',
    async open(source, context) {
      checkDialect(context.options)
      const text = await openText(source, context)
      try {
        return await openReading(text, context, choose)
      } catch (error) {
        await text.close()
        throw error
      }
    },
  }
}

async function openReading(
  text: TextInput,
  context: ReadContext,
  choose: ChooseReader,
): Promise<Reading> {
  const head = await readHead(text, SAMPLE_BYTES)
  const isWhole = head.length < SAMPLE_BYTES
  const sample = head.toString('utf8')
  if (isWhole && sample.trim() === '') throw onlyWhiteSpace()
  const sniffed = sniffDialect(sample, isWhole, context.options)
  const flow = withHead(head, text)
  return choose(sniffed.dialect) === 'ranges'
    ? openRangeReading(text, new Feed(flow), sniffed, context)
    : openGeneralReading(text, flow, sniffed, context)
}
