import type { IngestOptions } from '../../pipelines/index.ts'
import { CliError } from './cli-error.ts'

/** `--options` as a person types it: JSON. */
export async function parseIngestOptions(text: string | undefined): Promise<IngestOptions> {
  if (text === undefined) return {}
  const value = parseJson(text)
  // Most commands are given none, and wait for nothing that checks them.
  const { checkIngestOptions } = await import('./check-ingest-options.ts')
  return checkIngestOptions(value)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new CliError(`--options is not JSON: ${(error as Error).message}`, { cause: error })
  }
}
