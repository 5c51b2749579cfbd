import type { TestResponse } from '../support/client.ts'

/** What no answer may show: a stack, SQL, an inner address. */
const INSIDES = [
  /\n\s+at .+:\d+:\d+/,
  /\b(?:insert into|delete from|select .{1,200} from|update \w+ set) /i,
  /\bnode_modules\b|\.ts:\d+/,
  /\bECONN[A-Z]+\b|\bENOENT\b/,
]
const DEPENDENCY_FAILURES = [502, 503, 504, 507]

/** Sees every answer of a world: I4 and I6 are looked at as the answers come in. */
export class AnswerWatch {
  readonly #faults: string[] = []
  #secrets: readonly string[] = []
  #failuresAllowed = false

  guard(secrets: readonly string[]): void {
    this.#secrets = secrets
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

  readonly see = (answer: TestResponse, request: string): void => {
    const note = (what: string) => this.#faults.push(`${request} ${answer.status}: ${what}`)
    if (answer.status >= 500) {
      if (!this.#failuresAllowed) note('a failure that nothing provoked')
      else if (!DEPENDENCY_FAILURES.includes(answer.status)) note('not 502, 503, 504 or 507')
      if (typeof answer.body?.code !== 'string') note('not a problem document')
    }
    if (answer.status >= 400 && INSIDES.some((inside) => inside.test(answer.text))) {
      note(`shows the inside: ${answer.text.slice(0, 300)}`)
    }
    if (this.#secrets.some((secret) => answer.text.includes(secret))) note('shows a secret')
  }

  /** Throws what was seen, once. */
  assertClean(): void {
    const faults = this.#faults.splice(0)
    if (faults.length > 0) throw new Error(faults.slice(0, 10).join('\n'))
  }
}
