import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'

import { formBody } from './form-body.ts'

interface FormFile {
  readonly name: string
  readonly sizeBytes: number
  readonly content: Iterable<Buffer> | AsyncIterable<Buffer>
}

/**
 * A form with a file at its end, sent at the least cost: a client that works hard would be measured
 * along with the server, whose cores it shares. The answer's body, which must be a success.
 */
export async function postForm(
  address: string,
  token: string,
  fields: Readonly<Record<string, string>>,
  { name, sizeBytes, content }: FormFile,
): Promise<string> {
  const { type, head, end } = formBody(fields, name)
  const sending = request(address, {
    method: 'POST',
    headers: {
      'content-type': type,
      'content-length': Buffer.byteLength(head) + sizeBytes + end.length,
      'x-app-access-token': token,
    },
  })
  const answered = once(sending, 'response') as Promise<[IncomingMessage]>
  async function* body() {
    yield Buffer.from(head)
    yield* content
    yield Buffer.from(end)
  }
  const [[response]] = await Promise.all([answered, pipeline(body, sending)])
  const answer = await text(response)
  if (response.statusCode === 200 || response.statusCode === 201) return answer
  throw new Error(`${address} answered ${response.statusCode}: ${answer}`)
}
