import { xlsBook } from '../../../../benchmarks/generators/xls.ts'
import { xlsFormat } from '../../../../pipelines/readers/xls/index.ts'
import { describeReader } from '../../../contracts/reader.ts'
import { xlsFixtures } from '../../../support/fixtures.ts'

function large(): Buffer {
  const rows = Array.from({ length: 20_000 }, (_, row) => [row, `n° ${Math.sin(row)}`])
  return xlsBook('Feuil1', [['id', 'note'], ...rows])
}

describeReader('The reader of old workbooks', { format: xlsFormat, inputs: xlsFixtures(), large })
