import { type IncomingMessage, request } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { text } from 'node:stream/consumers'

import { formBody } from '../../../benchmarks/support/form-body.ts'
import type { TestResponse } from '../../support/client.ts'

/** A form whose file is made while it is sent: of any size, and of none in memory. */
export function streamUpload(
  address: string,
  path: string,
  token: string,
  fields: Readonly<Record<string, string>>,
  content: Iterable<Buffer>,
): Promise<TestResponse> {
  const { type, head, end } = formBody(fields, 'large.csv')
  function* body(): Generator<Buffer> {
    yield Buffer.from(head)
    yield* content
    yield Buffer.from(end)
  }
  return new Promise((resolve, reject) => {
    const outgoing = request(address + path, {
      method: 'POST',
      // A connection of its own: one that was refused in the middle serves nobody any more.
      agent: false,
      headers: {
        'x-app-access-token': token,
        'content-type': type,
      },
    })
    outgoing.once('response', (response) => {
      readAnswer(response).then(resolve, reject)
    })
    // Also when all was sent: a service that dies answers nobody.
    outgoing.on('error', reject)
    pipeline(Readable.from(body()), outgoing).catch(reject)
  })
}

async function readAnswer(response: IncomingMessage): Promise<TestResponse> {
  const answer = await text(response)
  return {
    status: response.statusCode ?? 0,
    headers: new Headers(response.headers as Record<string, string>),
    body: JSON.parse(answer) as unknown,
    text: answer,
  }
}

const HEADER = Buffer.from('id,name,amount,day,active,remark\n')

interface LargeCsv {
  readonly rows: number
  pieces(): Iterable<Buffer>
}

/** About so many bytes of an ordinary table, the same piece over and over. */
export function largeCsv(bytes: number): LargeCsv {
  const rowsPerPiece = 2_000
  const lines = Array.from(
    { length: rowsPerPiece },
    (_, row) =>
      `${row},Name ${row % 97},${row}.50,2024-03-${String(1 + (row % 28)).padStart(2, '0')},${row % 2 ? 'true' : 'false'},"a remark, number ${row}"`,
  )
  const piece = Buffer.from(`${lines.join('\n')}\n`)
  const pieces = Math.max(1, Math.round(bytes / piece.length))
  return {
    rows: pieces * rowsPerPiece,
    *pieces() {
      yield HEADER
      for (let nth = 0; nth < pieces; nth++) yield piece
    },
  }
}
