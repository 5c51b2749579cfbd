import type { StopRequest } from '../start/stop-request.ts'
import { failureOf } from './failure-of.ts'
import type { CommonFlags } from './common-flags.ts'

/** Reports an error to people on standard error, and returns the exit code. */
export async function complain(
  error: unknown,
  stop: StopRequest,
  { verbose = false }: CommonFlags,
): Promise<number> {
  // Whatever was broken by stopping is not worth reporting.
  if (stop.exitCode !== null) return stop.exitCode
  const { exitCode, message, atLength = message, stack } = await failureOf(error)
  if (stack === undefined) process.stderr.write(`${atLength}\n`)
  else process.stderr.write(verbose ? `${stack}\n` : `${message} (--verbose shows where)\n`)
  return exitCode
}

interface ReadingFlags extends CommonFlags {
  /** The faulty file, if there are several. */
  readonly file?: string
  /** Printed if the command was told to stop. */
  readonly interrupted: string
}

/** Reports an error to programs, as one JSON document; on a terminal, to people. */
export async function complainAsJson(
  error: unknown,
  stop: StopRequest,
  { verbose = false, file, interrupted }: ReadingFlags,
): Promise<number> {
  const { stderr } = process
  if (stop.exitCode !== null) {
    stderr.write(
      stderr.isTTY ? `${interrupted}\n` : `${JSON.stringify({ message: interrupted })}\n`,
    )
    return stop.exitCode
  }
  if (stderr.isTTY) {
    if (file !== undefined) stderr.write(`${file}: `)
    return complain(error, stop, { verbose })
  }
  const { exitCode, message, problem, stack } = await failureOf(error)
  const where = verbose ? { stack } : {}
  stderr.write(`${JSON.stringify({ file, message, problem, ...where })}\n`)
  return exitCode
}
