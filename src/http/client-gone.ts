import type { ServerResponse } from 'node:http'

/** A signal that aborts if the client hangs up before its answer is complete, or is cut off. */
export function clientGone(response: ServerResponse, cut: AbortSignal): AbortSignal {
  const controller = new AbortController()
  const answering = answeringUntil(cut).add(controller)
  if (cut.aborted) controller.abort(cut.reason)
  if (response.destroyed && !response.writableFinished) controller.abort(new ClientGoneError())
  response.once('close', () => {
    answering.delete(controller)
    if (!response.writableFinished) controller.abort(new ClientGoneError())
  })
  return controller.signal
}

/**
 * The answers under way. A signal searches all of its listeners when one is added or removed, so
 * this set shares a single listener.
 */
const answers = new WeakMap<AbortSignal, Set<AbortController>>()

function answeringUntil(cut: AbortSignal): Set<AbortController> {
  const known = answers.get(cut)
  if (known) return known
  const answering = new Set<AbortController>()
  answers.set(cut, answering)
  const cutOff = () => answering.forEach((answer) => answer.abort(cut.reason))
  cut.addEventListener('abort', cutOff, { once: true })
  return answering
}

/** Nobody is left to read the answer; logged as such, and never as a failure of the service. */
export class ClientGoneError extends Error {
  override readonly name = 'ClientGoneError'

  constructor() {
    super('The client went away before the answer')
  }
}
