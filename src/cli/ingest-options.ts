import { Ajv2020 } from 'ajv/dist/2020.js'
import { InvalidArgumentError } from 'commander'

import { type IngestOptions, ingestOptionsSchema, standardFormats } from '../../pipelines/index.ts'

/** `--options` as a person types it: JSON, checked by the schema that the API uses. */
export function parseIngestOptions(text: string): IngestOptions {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new InvalidArgumentError(`It is not JSON: ${(error as Error).message}`)
  }
  const ajv = new Ajv2020({ allErrors: true, strict: false })
  const validate = ajv.compile<IngestOptions>(ingestOptionsSchema(standardFormats()))
  if (validate(value)) return value
  throw new InvalidArgumentError(ajv.errorsText(validate.errors, { dataVar: 'options' }))
}
