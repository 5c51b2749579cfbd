import type { IngestOptions } from '../../pipelines/index.ts'
import { CliError } from './cli-error.ts'

/** Parses the JSON that a person types after `--options`. */
export async function parseIngestOptions(text: string | undefined): Promise<IngestOptions> {
  if (text === undefined) return {}
  const value = parseJson(text)
  // Most commands are given no options, and need not load what checks them.
  const { ingestOptionsSchema, standardFormats } = await import('../../pipelines/index.ts')
  const { checked } = await import('./checked.ts')
  return checked(ingestOptionsSchema(standardFormats()), value, '--options') as IngestOptions
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new CliError(`--options is not JSON: ${(error as Error).message}`, { cause: error })
  }
}
