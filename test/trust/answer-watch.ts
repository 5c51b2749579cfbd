import { setTimeout as sleep } from 'node:timers/promises'

import type { TestResponse } from '../support/client.ts'

/** What no answer may show: a stack, SQL, an inner address. */
const INSIDES = [
  /\n\s+at .+:\d+:\d+/,
  /\b(?:insert into|delete from|select .{1,200} from|update \w+ set) /i,
  /\bnode_modules\b|\.ts:\d+/,
  /\bECONN[A-Z]+\b|\bENOENT\b/,
]
const DEPENDENCY_FAILURES = new Set([502, 503, 504, 507])
/** A line of the log may come a moment after its answer. */
const LOG_DELAY_MS = 100

/** Sees every answer of a world: I4 and I6 are looked at as the answers come in. */
export class AnswerWatch {
  readonly #faults: string[] = []
  #secrets: readonly string[] = []
  #output: () => readonly string[] = () => []
  #failuresAllowed = false

  guard(secrets: readonly string[], output: () => readonly string[]): void {
    this.#secrets = secrets
    this.#output = output
  }

  /** While a dependency is made to fail, 502, 503 and 504 are what is asked for. */
  async whileFailing<T>(work: () => Promise<T>): Promise<T> {
    this.#failuresAllowed = true
    try {
      return await work()
    } finally {
      this.#failuresAllowed = false
    }
  }

  readonly see = async (answer: TestResponse, request: string): Promise<void> => {
    const note = (what: string) => this.#faults.push(`${request} ${answer.status}: ${what}`)
    // Nothing may ever provoke one of these; what the log says of it is what one needs to know.
    if (answer.status === 500) {
      throw new Error(`${request} answered 500: ${await this.#logged(answer.body?.requestId)}`)
    }
    if (answer.status >= 500) {
      if (!this.#failuresAllowed) {
        note(`a failure that nothing provoked: ${await this.#logged(answer.body?.requestId)}`)
      } else if (!DEPENDENCY_FAILURES.has(answer.status)) note('not 502, 503, 504 or 507')
      if (typeof answer.body?.code !== 'string') note('not a problem document')
    }
    if (answer.status >= 400 && INSIDES.some((inside) => inside.test(answer.text))) {
      note(`shows the inside: ${answer.text.slice(0, 300)}`)
    }
    if (this.#secrets.some((secret) => answer.text.includes(secret))) note('shows a secret')
  }

  async #logged(requestId: unknown): Promise<string> {
    await sleep(LOG_DELAY_MS)
    const line = this.#output().find(
      (text) => text.includes(String(requestId)) && text.includes('request failed'),
    )
    return line?.slice(0, 1500) ?? 'nothing was logged'
  }

  /** Throws what was seen, once. */
  assertClean(): void {
    const faults = this.#faults.splice(0)
    if (faults.length > 0) throw new Error(faults.slice(0, 10).join('\n'))
  }
}
