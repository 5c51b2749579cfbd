import { CliError } from './cli-error.ts'
import { EXIT } from './exit-codes.ts'
import type { CommandFailure } from './failure.ts'

/** Loads only what is needed to classify the error. */
export async function failureOf(error: unknown): Promise<CommandFailure> {
  if (error instanceof CliError) return { exitCode: EXIT.usage, message: error.message }
  const { failureOfFile } = await import('./failure-of-file.ts')
  const ofFile = failureOfFile(error)
  if (ofFile !== null) return ofFile
  const { failureOfService } = await import('./failure-of-service.ts')
  return failureOfService(error)
}
