import type { StopRequest } from '../start/stop-request.ts'

/** What a command does, in a file of its own. */
interface Action<Given extends readonly unknown[]> {
  run(stop: StopRequest, ...given: Given): Promise<void>
}

/**
 * Loads what a command does when it is called, and not before: whoever asks for help, or calls
 * another command, does not wait for it.
 */
export function calling<Given extends readonly unknown[]>(
  stop: StopRequest,
  load: () => Promise<Action<Given>>,
): (...given: Given) => Promise<void> {
  return async (...given) => (await load()).run(stop, ...given)
}
