import { ServiceUnavailableException } from '../errors/index.ts'
import { requestMessages } from './request-messages.ts'

const RETRY_AFTER_SECONDS = 5

/** How much heavy work a process takes at once. Past it callers are told when to come again. */
export class Capacity {
  readonly #places: number
  #taken = 0

  constructor(places: number) {
    this.#places = places
  }

  take(): Disposable {
    if (this.#taken >= this.#places) {
      throw new ServiceUnavailableException(requestMessages.noPlace(), {
        headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
      })
    }
    this.#taken++
    return { [Symbol.dispose]: () => void this.#taken-- }
  }
}
