import { excelFormat } from '../../../../pipelines/readers/excel/index.ts'
import { describeReader } from '../../../contracts/reader.ts'
import { excelFixtures } from '../../../support/fixtures.ts'
import { rawWorkbook, textRow } from '../../../support/workbooks/raw-workbook.ts'

/** Stored and not deflated: its length is not to depend on how alike the rows are. */
function large(): Buffer {
  const rows = Array.from(
    { length: 20_000 },
    (_, row) =>
      `<row><c><v>${row}</v></c><c t="inlineStr"><is><t>n° ${(row * 7919).toString(36)} ${Math.sin(row)}</t></is></c></row>`,
  )
  return rawWorkbook({ sheets: [{ rows: textRow('id', 'note') + rows.join('') }] })
}

describeReader('The Excel reader', { format: excelFormat, inputs: excelFixtures(), large })
