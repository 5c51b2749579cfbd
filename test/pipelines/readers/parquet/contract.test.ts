import { parquetWriteBuffer } from 'hyparquet-writer'

import { parquetFormat } from '../../../../pipelines/readers/parquet/index.ts'
import { describeReader } from '../../../contracts/reader.ts'
import { parquetFixtures } from '../../../support/fixtures.ts'

function large(): Buffer {
  const rows = Array.from({ length: 60_000 }, (_, row) => row)
  const columnData = [
    { name: 'id', data: rows, type: 'INT32' as const },
    { name: 'note', data: rows.map((row) => `n° ${Math.sin(row)}`) },
  ]
  return Buffer.from(parquetWriteBuffer({ columnData, codec: 'UNCOMPRESSED', rowGroupSize: 9000 }))
}

describeReader('The Parquet reader', { format: parquetFormat, inputs: parquetFixtures(), large })
