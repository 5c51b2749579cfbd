import { EngineError } from '../../pipelines/index.ts'

const INTERRUPTED = 130

/** Says on standard error, as JSON, what is wrong; the exit code to end with. */
export function complain(
  error: unknown,
  stderr: NodeJS.WritableStream,
  signal: AbortSignal,
): number {
  if (signal.aborted) {
    stderr.write(`${JSON.stringify({ message: 'Interrupted: nothing was loaded' })}\n`)
    return INTERRUPTED
  }
  stderr.write(`${JSON.stringify(described(error))}\n`)
  return 1
}

function described(error: unknown): object {
  if (error instanceof EngineError) return { message: error.message, problem: error.problem }
  if (!(error instanceof Error)) return { message: String(error) }
  const reason = error.cause instanceof Error ? `: ${error.cause.message}` : ''
  return { message: `${error.message}${reason}` }
}
