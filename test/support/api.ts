import { expect } from 'chai'

import type { Operations } from './api-types.ts'
import type { TestClient } from './client.ts'

type Name = keyof Operations
type Input<Operation extends Name> = Partial<Pick<Operations[Operation], 'params' | 'query'>> &
  (Operations[Operation]['body'] extends undefined
    ? { readonly body?: never }
    : { readonly body: Operations[Operation]['body'] }) & {
    readonly headers?: Readonly<Record<string, string>>
  }
type Answers<Operation extends Name> = Operations[Operation]['answers']

/** Calls operations by the names and with the types of the service's own document. */
export interface Api {
  /** The body of the answer; anything but the expected status fails with what was answered. */
  call<Operation extends Name, Status extends keyof Answers<Operation> & number>(
    operation: Operation,
    status: Status,
    input: Input<Operation>,
  ): Promise<Answers<Operation>[Status]>
}

export function createApi(client: TestClient): Api {
  return {
    async call(operation, status, { params = {}, query = {}, body, headers = {} }) {
      const [method, template] = operation.split(' ') as [string, string]
      const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
        encodeURIComponent(String((params as Record<string, unknown>)[name])),
      )
      const search = new URLSearchParams(
        Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
      )
      const address = search.size === 0 ? path : `${path}?${search.toString()}`
      const answer = await client.withHeaders(headers).request(method, address, requestBody(body))
      expect(answer.status, `${operation}: ${answer.text}`).to.equal(status)
      return answer.body ?? answer.text
    },
  }
}

type BodyOf = FormData | Blob | object | undefined

function requestBody(body: BodyOf) {
  if (body === undefined) return undefined
  if (body instanceof FormData || body instanceof Blob) return { content: body }
  return { content: JSON.stringify(body), type: 'application/json' }
}
