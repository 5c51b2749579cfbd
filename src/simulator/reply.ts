import type { ServerResponse } from 'node:http'

/** The answer of the simulated application, before it is sent. */
export interface SimulatedReply {
  readonly status: number
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
}

export const json = (body: string): SimulatedReply => ({ status: 200, body })

export const refusal = (status: number, message: string): SimulatedReply => ({
  status,
  body: JSON.stringify({ status, message }),
})

export const JSON_TYPE = 'application/json; charset=utf-8'

export function send(response: ServerResponse, { status, body, headers }: SimulatedReply): void {
  const bytes = Buffer.from(body)
  response.writeHead(status, {
    'content-type': JSON_TYPE,
    'content-length': bytes.length,
    ...headers,
  })
  response.end(bytes)
}
