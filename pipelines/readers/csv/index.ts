import { onlyWhiteSpace } from '../../core/errors.ts'
import { defineFormat, type Format } from '../../core/format.ts'
import { openText } from '../../input/text/open-text.ts'
import { CSV_OPTIONS } from './csv-options.ts'
import { TableReading } from '../../outline/table-reading.ts'
import { placeByHand } from '../sheet-options.ts'
import { ColumnWindow } from './column-window.ts'
import { checkDialect, type Dialect, isPlain, areQuotedRecords } from './dialect.ts'
import { findDialect } from './find-dialect.ts'
import { csvMessages } from './messages.ts'
import { RangeRecords } from './range-reading.ts'
import { readHeader } from './read-header.ts'
import { placementMessages } from '../placement-messages.ts'
import { BlankSqueezer, LineUnquoter, RewrittenText } from './rewritten-text.ts'
import { later } from '../../core/later.ts'

const general = later(() => import('./general-reading.ts'))

type ChooseReader = (dialect: Dialect) => 'ranges' | 'general'

const fastWherePossible: ChooseReader = (dialect) => (isPlain(dialect) ? 'ranges' : 'general')

/**
 * Delimited text, whose dialect is found from the first bytes unless the options name it.
 *
 * `choose` says which of the two readers a dialect gets. They agree on every dialect that both
 * know, and by default the fast one reads whatever it can: another choice is for comparing the
 * two.
 */
export function createCsvFormat(choose: ChooseReader = fastWherePossible): Format {
  return defineFormat({
    name: 'csv',
    sourceType: 'CSV',
    options: CSV_OPTIONS,
    messages: [csvMessages, placementMessages],
    // Anything that is not an archive and that no other format recognises: `openText` refuses what
    // is not text at all.
    recognises: ({ members }) => (members === null ? 'likely' : 'no'),
    async open(input, context) {
      const { options } = context
      checkDialect(options)
      const byHand = placeByHand(options)
      const sent = openText(input, context)
      const beginning = sent.head.toString('utf8')
      if (sent.isWhole && beginning.trim() === '') throw onlyWhiteSpace()
      const isQuoted = options.quote === undefined && areQuotedRecords(beginning, sent.isWhole)
      const whole = isQuoted ? await RewrittenText.of(sent, new LineUnquoter()) : sent
      const sample = isQuoted ? whole.head.toString('utf8') : beginning
      const found = await findDialect(sample, whole.isWhole, options, byHand)
      const { squeezedFrom: from } = found
      const text = from === null ? whole : await RewrittenText.of(whole, new BlankSqueezer(from))
      const Records =
        choose(found.dialect) === 'ranges' ? RangeRecords : (await general()).GeneralRecords
      const records = new Records(text, found.dialect, context.limits)
      const header = await readHeader(records, found, byHand, context)
      const rows = records.rowsBelow(found, header, context)
      const { table } = found
      if (table === null) return rows
      const { columns } = table
      const own = columns === null ? rows : new ColumnWindow(rows, columns)
      const firstColumn = columns === null ? 0 : columns.firstColumn
      return new TableReading(own, table, context, { firstColumn })
    },
  })
}

export const csvFormat = createCsvFormat()
