import { type IngestOptions, ingestOptionsSchema, standardFormats } from '../../pipelines/index.ts'
import { type FieldError, fieldMessages, ValidationException } from '../errors/index.ts'
import { createValidators } from '../http/validation.ts'
import { CliError } from './cli-error.ts'

/** Options are checked against the same schema as in the API. */
export function checkIngestOptions(value: unknown): IngestOptions {
  try {
    const schema = ingestOptionsSchema(standardFormats())
    return createValidators().check('body', schema, value) as IngestOptions
  } catch (error) {
    if (!(error instanceof ValidationException)) throw error
    const told = ((error.extras.errors ?? []) as readonly FieldError[]).map(sentenceOf)
    throw new CliError(`--options: ${told.join('; ')}`, { cause: error })
  }
}

const sentenceOf = ({ pointer, message }: FieldError): string =>
  String(pointer === '' ? message : fieldMessages.field({ pointer, message }))
