import type { ExitCode } from './exit-codes.ts'

/** Why a command failed, in words for the user, and the exit code. */
export interface CommandFailure {
  readonly exitCode: ExitCode
  readonly message: string
  /** A longer version, for a terminal. */
  readonly atLength?: string
  /** What the engine reports about the file, for programs. */
  readonly problem?: unknown
  /** The stack trace, for developers. */
  readonly stack?: string
}
