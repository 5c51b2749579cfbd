import type { ServerResponse } from 'node:http'

/** The answer of the simulated application, before it is sent. */
export interface Reply {
  readonly status: number
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
}

export const json = (body: string): Reply => ({ status: 200, body })

export const refusal = (status: number, message: string): Reply => ({
  status,
  body: JSON.stringify({ status, message }),
})

export const JSON_TYPE = 'application/json; charset=utf-8'

export function send(response: ServerResponse, { status, body, headers }: Reply): void {
  const bytes = Buffer.from(body)
  response.writeHead(status, {
    'content-type': JSON_TYPE,
    'content-length': bytes.length,
    ...headers,
  })
  response.end(bytes)
}
