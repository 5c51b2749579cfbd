import { Agent, request } from 'node:http'
import { buffer } from 'node:stream/consumers'

import type { Attack } from './attack.ts'

export interface Answer {
  readonly status: number
  readonly type: string
  readonly text: string
}

/** No request may keep its client waiting: refusals come quickly. */
const ANSWER_TIMEOUT_MS = 15_000

interface Sender extends Disposable {
  send(attack: Attack, token: string | null): Promise<Answer>
}

/** Sends what no polite client would: paths and headers go out as they are. */
export function openSender(address: string, connections: number): Sender {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const { hostname, port } = new URL(address)
  return {
    send: (attack, token) =>
      new Promise((resolve, reject) => {
        const outgoing = request({
          agent,
          hostname,
          port,
          method: attack.method,
          path: attack.path,
          headers: {
            ...(token !== null && { 'x-app-access-token': token }),
            ...attack.headers,
            ...(attack.body && { 'content-length': String(attack.body.length) }),
          },
          timeout: ANSWER_TIMEOUT_MS,
        })
        outgoing.once('timeout', () => {
          outgoing.destroy(new Error(`no answer in ${ANSWER_TIMEOUT_MS} ms`))
        })
        outgoing.once('error', reject)
        outgoing.once('response', (response) => {
          buffer(response).then(
            (bytes) =>
              resolve({
                status: response.statusCode ?? 0,
                type: response.headers['content-type'] ?? '',
                text: bytes.subarray(0, 20_000).toString(),
              }),
            reject,
          )
        })
        outgoing.end(attack.body ?? undefined)
      }),
    [Symbol.dispose]: () => agent.destroy(),
  }
}
