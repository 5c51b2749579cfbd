import { EngineError } from '../../core/errors.ts'
import type { ReadContext, Reader, Reading } from '../../core/reader.ts'
import { readHead, withHead } from '../../input/byte-flow.ts'
import { openText, type TextInput } from '../../input/open-text.ts'
import { checkDialect } from './dialect.ts'
import { Feed } from './feed.ts'
import { openRangeReading } from './range-reading.ts'
import { sniffDialect } from './sniff-dialect.ts'

const SAMPLE_BYTES = 64 * 1024

/** Delimited text, its dialect found from the first bytes wherever the options do not name it. */
export function createCsvReader(): Reader {
  return {
    name: 'csv',
    async open(source, context) {
      checkDialect(context.options)
      const text = await openText(source, context)
      try {
        return await openReading(text, context)
      } catch (error) {
        await text.close()
        throw error
      }
    },
  }
}

async function openReading(text: TextInput, context: ReadContext): Promise<Reading> {
  const head = await readHead(text, SAMPLE_BYTES)
  const isWhole = head.length < SAMPLE_BYTES
  const sample = head.toString('utf8')
  if (isWhole && sample.trim() === '') {
    throw new EngineError('The file holds nothing but white space.', { kind: 'empty' })
  }
  const sniffed = sniffDialect(sample, isWhole, context.options)
  return openRangeReading(text, new Feed(withHead(head, text)), sniffed, context)
}
