import { odsFormat } from '../../../../pipelines/readers/ods/index.ts'
import { describeReader } from '../../../contracts/reader.ts'
import { odsFixtures } from '../../../support/fixtures.ts'
import { odsOf } from '../../../support/workbooks/ods.ts'

/** Stored and not deflated: its length is not to depend on how alike the rows are. */
function large(): Buffer {
  const rows = Array.from(
    { length: 6000 },
    (_, row) =>
      `<table:table-row><table:table-cell office:value-type="float" office:value="${row}"/><table:table-cell office:value-type="string"><text:p>n° ${Math.sin(row)}</text:p></table:table-cell></table:table-row>`,
  )
  return odsOf(
    `<table:table table:name="a"><table:table-row><table:table-cell><text:p>id</text:p></table:table-cell><table:table-cell><text:p>note</text:p></table:table-cell></table:table-row>${rows.join('')}</table:table>`,
  )
}

describeReader('The reader of OpenDocument', { format: odsFormat, inputs: odsFixtures(), large })
