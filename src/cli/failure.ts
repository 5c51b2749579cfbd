import { CliError } from './cli-error.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'

export interface Failure {
  readonly exitCode: ExitCode
  readonly message: string
  /** The same at greater length, for a terminal. */
  readonly atLength?: string
  /** What the engine says of the file, for programs. */
  readonly problem?: unknown
  /** Where it happened, for whoever can mend the program. */
  readonly stack?: string
}

/**
 * Why a command failed, in words for the one at the terminal, and what it ends with. Only as much is loaded
 * as it takes to tell.
 */
export async function failureOf(error: unknown): Promise<Failure> {
  if (error instanceof CliError) return { exitCode: EXIT.usage, message: error.message }
  const { failureOfFile } = await import('./failure-of-file.ts')
  const ofFile = failureOfFile(error)
  if (ofFile !== null) return ofFile
  const { failureOfService } = await import('./failure-of-service.ts')
  return failureOfService(error)
}
