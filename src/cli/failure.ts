import type { ExitCode } from './exit-codes.ts'

/** Why a command failed, in words for the one at the terminal, and what it ends with. */
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
