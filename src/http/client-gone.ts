import type { ServerResponse } from 'node:http'

/** A signal that aborts when the client hangs up before its answer is complete, or is cut off. */
export function clientGone(response: ServerResponse, cut: AbortSignal): AbortSignal {
  const controller = new AbortController()
  const onCut = () => controller.abort(cut.reason)
  cut.addEventListener('abort', onCut, { once: true })
  if (cut.aborted) onCut()
  if (response.destroyed && !response.writableFinished) controller.abort(new ClientGoneError())
  response.once('close', () => {
    cut.removeEventListener('abort', onCut)
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
