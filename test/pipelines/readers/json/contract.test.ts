import { jsonFormat } from '../../../../pipelines/readers/json/index.ts'
import { describeReader } from '../../../contracts/reader.ts'
import { jsonFixtures } from '../../../support/fixtures.ts'

function large(): Buffer {
  const rows = Array.from({ length: 20_000 }, (_, k) => ({ id: k, note: `n° ${k}\n`, tags: [k] }))
  return Buffer.from(JSON.stringify(rows))
}

describeReader('The JSON reader', { format: jsonFormat, inputs: jsonFixtures(), large })
