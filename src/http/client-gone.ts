import type { ServerResponse } from 'node:http'

/** A signal that aborts when the client hangs up before its answer is complete, or on a stop. */
export function clientGone(response: ServerResponse, stopping: AbortSignal): AbortSignal {
  const controller = new AbortController()
  const onStop = () => controller.abort(stopping.reason)
  stopping.addEventListener('abort', onStop, { once: true })
  if (stopping.aborted) onStop()
  response.once('close', () => {
    stopping.removeEventListener('abort', onStop)
    if (!response.writableFinished) controller.abort(new ClientGoneError())
  })
  return controller.signal
}

/** Nobody is left to read an answer; logged as such and never as a failure of ours. */
export class ClientGoneError extends Error {
  override readonly name = 'ClientGoneError'

  constructor() {
    super('The client went away before the answer')
  }
}
