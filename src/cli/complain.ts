import type { StopRequest } from '../start/stop-request.ts'
import { failureOf } from './failure-of.ts'
import type { CommonFlags } from './common-flags.ts'

/** Says on standard error what is wrong, to people; the exit code to end with. */
export async function complain(
  error: unknown,
  stop: StopRequest,
  { verbose = false }: CommonFlags,
): Promise<number> {
  // Whatever the stop broke on its way.
  if (stop.exitCode !== null) return stop.exitCode
  const { exitCode, message, atLength = message, stack } = await failureOf(error)
  if (stack === undefined) process.stderr.write(`${atLength}\n`)
  else process.stderr.write(verbose ? `${stack}\n` : `${message} (--verbose says where)\n`)
  return exitCode
}

interface ReadingFlags extends CommonFlags {
  /** The one of several that is at fault. */
  readonly file?: string
  /** What to say where the command was told to stop. */
  readonly interrupted: string
}

/** The same to programs, as one JSON document; to people where somebody looks. */
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
