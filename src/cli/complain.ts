import type { StopRequest } from '../stop-request.ts'
import { failureOf } from './failure.ts'
import type { CommonFlags } from './common-flags.ts'

/** Says on standard error what is wrong, to people; the exit code to end with. */
export function complain(
  error: unknown,
  stop: StopRequest,
  { verbose = false }: CommonFlags,
): number {
  // Whatever the stop broke on its way.
  if (stop.exitCode !== null) return stop.exitCode
  const { exitCode, message, stack } = failureOf(error)
  if (stack === undefined) process.stderr.write(`${message}\n`)
  else process.stderr.write(verbose ? `${stack}\n` : `${message} (--verbose says where)\n`)
  return exitCode
}

/** The same to programs, as one JSON document; to people where somebody looks. */
export function complainAsJson(error: unknown, stop: StopRequest, flags: CommonFlags): number {
  const { stderr } = process
  if (stop.exitCode !== null) {
    const message = 'Interrupted: nothing was loaded'
    stderr.write(stderr.isTTY ? `${message}\n` : `${JSON.stringify({ message })}\n`)
    return stop.exitCode
  }
  if (stderr.isTTY) return complain(error, stop, flags)
  const { exitCode, message, problem, stack } = failureOf(error)
  const where = flags.verbose === true ? { stack } : {}
  stderr.write(`${JSON.stringify({ message, problem, ...where })}\n`)
  return exitCode
}
