import type { StopRequest } from '../start/stop-request.ts'

/** The implementation of a command, in a file of its own. */
interface Action<Given extends readonly unknown[]> {
  run(stop: StopRequest, ...given: Given): Promise<void>
}

/**
 * Loads the implementation of a command only when it is called, so that `--help` and the other
 * commands do not wait for it.
 */
export function calling<Given extends readonly unknown[]>(
  stop: StopRequest,
  load: () => Promise<Action<Given>>,
): (...given: Given) => Promise<void> {
  return async (...given) => (await load()).run(stop, ...given)
}
