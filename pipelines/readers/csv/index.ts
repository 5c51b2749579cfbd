import { onlyWhiteSpace } from '../../core/errors.ts'
import { defineFormat, type Format } from '../../core/format.ts'
import { openText } from '../../input/text/open-text.ts'
import { CSV_OPTIONS } from './csv-options.ts'
import { checkDialect, type Dialect, isPlain } from './dialect.ts'
import { openGeneralReading } from './general-reading.ts'
import { openRangeReading } from './range-reading.ts'
import { sniffDialect } from './sniff-dialect.ts'

export type ChooseReader = (dialect: Dialect) => 'ranges' | 'general'

const fastWherePossible: ChooseReader = (dialect) => (isPlain(dialect) ? 'ranges' : 'general')

/**
 * Delimited text, its dialect found from the first bytes wherever the options do not name it.
 *
 * `choose` says which of the two readers a dialect gets. They agree on every dialect that both know,
 * and the fast one is the default wherever it does: another choice is for comparing the two.
 */
export function createCsvFormat(choose: ChooseReader = fastWherePossible): Format {
  return defineFormat({
    name: 'csv',
    sourceType: 'CSV',
    options: CSV_OPTIONS,
    // Whatever is no archive and nothing else: `openText` names what is no text at all.
    recognises: ({ members }) => (members === null ? 'likely' : 'no'),
    async open(input, context) {
      checkDialect(context.options)
      const text = openText(input, context)
      const sample = text.head.toString('utf8')
      if (text.isWhole && sample.trim() === '') throw onlyWhiteSpace()
      const sniffed = sniffDialect(sample, text.isWhole, context.options)
      const open = choose(sniffed.dialect) === 'ranges' ? openRangeReading : openGeneralReading
      return open(text, sniffed, context)
    },
  })
}

export const csvFormat = createCsvFormat()
