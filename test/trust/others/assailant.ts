import { Agent, type IncomingMessage, request } from 'node:http'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'

import { formBody } from '../../../benchmarks/support/form-body.ts'
/** What one account asks, as often and as much at once as it likes; answers are counted and thrown away. */
export interface Assailant extends Disposable {
  readonly address: string
  readonly token: string
  ask(path: string, options?: AskOptions): Promise<Answered | null>
  /** Counts an answer that was had in another way. */
  count(status: number): void
  /** How often each status was answered. */
  readonly answers: ReadonlyMap<number, number>
  /** Answers that no caller may get, whatever was asked. */
  readonly faults: readonly string[]
}

interface AskOptions {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Iterable<Buffer>
  /** The client leaves then, or when it is aborted. */
  readonly signal?: AbortSignal
  /** Takes the answer as it likes; else it is read and thrown away. */
  readonly take?: (answer: IncomingMessage) => Promise<void>
}

interface Answered {
  readonly status: number
  /** The beginning of the body. */
  readonly text: string
}

const TEXT_KEPT = 16 * 1024
const COME_AGAIN = new Set([429, 503])

export function createAssailant(address: string, token: string): Assailant {
  const agent = new Agent({ keepAlive: true })
  const answers = new Map<number, number>()
  const faults: string[] = []
  const count = (status: number) => void answers.set(status, (answers.get(status) ?? 0) + 1)

  /** Null where the client left first, or the connection was cut. */
  function ask(path: string, options: AskOptions = {}): Promise<Answered | null> {
    const { method = 'GET', headers, body, signal, take = ignore } = options
    return new Promise((resolve) => {
      const outgoing = request(address + path, {
        method,
        // A connection on which a body was refused in the middle serves nobody any more.
        agent: body === undefined ? agent : false,
        headers: { 'x-app-access-token': token, ...headers },
        ...(signal && { signal }),
      })
      let isAnswered = false
      outgoing.on('error', () => {
        if (!isAnswered) resolve(null)
      })
      outgoing.once('response', (answer) => {
        isAnswered = true
        const status = answer.statusCode ?? 0
        count(status)
        look(`${method} ${path}`, answer, faults)
        read(answer, take)
          .then((text) => resolve({ status, text }))
          .catch(() => resolve(null))
      })
      if (body === undefined || typeof body === 'string') outgoing.end(body)
      else Readable.from(body).pipe(outgoing)
    })
  }

  return { address, token, ask, count, answers, faults, [Symbol.dispose]: () => agent.destroy() }
}

const ignore = async () => undefined

async function read(
  answer: IncomingMessage,
  take: (answer: IncomingMessage) => Promise<void>,
): Promise<string> {
  if (answer.statusCode === 200) await take(answer)
  let text = ''
  for await (const piece of answer) {
    if (text.length < TEXT_KEPT) text += String(piece)
  }
  return text
}

/** Whoever is to come again is told when, and nothing that one account asks is a failure of ours. */
function look(what: string, { statusCode = 0, headers }: IncomingMessage, faults: string[]): void {
  if (statusCode >= 500 && statusCode !== 503) faults.push(`${what} answered ${statusCode}`)
  if (COME_AGAIN.has(statusCode) && !(Number(headers['retry-after']) > 0)) {
    faults.push(`${what} answered ${statusCode} without Retry-After`)
  }
}

const PAUSE_MS = 20

/** So many clients of the account, each of which asks again as soon as it is answered. */
export async function loops(
  count: number,
  signal: AbortSignal,
  ask: (nth: number) => Promise<unknown>,
): Promise<void> {
  const clients = Array.from({ length: count }, async (_, nth) => {
    while (!signal.aborted) {
      await ask(nth)
      await sleep(PAUSE_MS)
    }
  })
  await Promise.all(clients)
}

/** A form with a file, to be sent with `ask`. */
export function fileForm(
  fields: Readonly<Record<string, string>>,
  filename: string,
  content: Iterable<Buffer>,
): Pick<AskOptions, 'body' | 'headers' | 'method'> {
  const { type, head, end } = formBody(fields, filename)
  function* body(): Generator<Buffer> {
    yield Buffer.from(head)
    yield* content
    yield Buffer.from(end)
  }
  const headers = { 'content-type': type }
  return { method: 'POST', headers, body: body() }
}
