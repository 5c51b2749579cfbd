import { utils, write } from '@e965/xlsx'

import { xlsFormat } from '../../../../pipelines/readers/xls/index.ts'
import { describeReader } from '../../../contracts/reader.ts'
import { xlsFixtures } from '../../../support/fixtures.ts'

function large(): Buffer {
  const rows = Array.from({ length: 20_000 }, (_, row) => [row, `n° ${Math.sin(row)}`])
  const book = utils.book_new()
  utils.book_append_sheet(book, utils.aoa_to_sheet([['id', 'note'], ...rows]), 'Feuil1')
  return write(book, { type: 'buffer', bookType: 'biff8', bookSST: true }) as Buffer
}

describeReader('The reader of old workbooks', { format: xlsFormat, inputs: xlsFixtures(), large })
