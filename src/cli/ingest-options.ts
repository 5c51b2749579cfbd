import { type IngestOptions, ingestOptionsSchema, standardFormats } from '../../pipelines/index.ts'
import { CliError } from './cli-error.ts'

/** `--options` as a person types it: JSON, checked by the schema that the API uses. */
export async function parseIngestOptions(text: string | undefined): Promise<IngestOptions> {
  if (text === undefined) return {}
  const value = parseJson(text)
  const { Ajv2020 } = await import('ajv/dist/2020.js')
  const ajv = new Ajv2020({ allErrors: true, strict: false })
  const validate = ajv.compile<IngestOptions>(ingestOptionsSchema(standardFormats()))
  if (validate(value)) return value
  const [error] = validate.errors ?? []
  const unknown = error?.params['additionalProperty'] as string | undefined
  if (unknown !== undefined) {
    throw new CliError(`--options: there is no option ${JSON.stringify(unknown)}${placeOf(error)}`)
  }
  throw new CliError(`--options: ${ajv.errorsText(validate.errors, { dataVar: 'options' })}`)
}

const placeOf = (error: { instancePath: string } | undefined): string =>
  error === undefined || error.instancePath === '' ? '' : ` at ${error.instancePath}`

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new CliError(`--options is not JSON: ${(error as Error).message}`, { cause: error })
  }
}
