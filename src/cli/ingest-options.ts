import { type IngestOptions, ingestOptionsSchema, standardFormats } from '../../pipelines/index.ts'
import { type FieldError, fieldMessages, ValidationException } from '../errors/index.ts'
import { CliError } from './cli-error.ts'

/** `--options` as a person types it: JSON, held to what the API holds it to. */
export async function parseIngestOptions(text: string | undefined): Promise<IngestOptions> {
  if (text === undefined) return {}
  const value = parseJson(text)
  const { createValidators } = await import('../http/validation.ts')
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

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new CliError(`--options is not JSON: ${(error as Error).message}`, { cause: error })
  }
}
