import { createReadStream } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'

import type { Fault } from './faults.ts'
import type { Answer } from './object-calls.ts'

const SLOW_CHUNKS_PER_SECOND = 20

export async function sendAnswer(
  response: ServerResponse,
  { status, headers = {}, body }: Answer,
  fault: Fault | null,
): Promise<void> {
  response.writeHead(status, headers)
  if (typeof body === 'string') {
    response.end(body)
    return
  }
  if (body === undefined || body.end < body.start) {
    response.end()
    return
  }
  const file = createReadStream(body.path, { start: body.start, end: body.end })
  const source = shape(file, response, fault)
  try {
    await pipeline(source, response)
  } catch (error) {
    // A client that goes away in the middle of a download is no failure of the server.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
  }
}

/** The bytes of a download, as the fault lets them through. */
function shape(file: Readable, response: ServerResponse, fault: Fault | null): Readable {
  switch (fault?.kind) {
    case 'slow-body':
      return Readable.from(slowed(file, fault.bytesPerSecond))
    case 'stall-body':
      return Readable.from(upTo(file, fault.afterBytes, () => closed(response)))
    case 'cut-body':
      return Readable.from(
        upTo(file, fault.afterBytes, async () => {
          await sleep(20)
          response.socket?.destroy()
          await closed(response)
        }),
      )
    default:
      return file
  }
}

async function* slowed(file: Readable, bytesPerSecond: number): AsyncGenerator<Buffer> {
  const step = Math.max(1, Math.floor(bytesPerSecond / SLOW_CHUNKS_PER_SECOND))
  for await (const chunk of file as AsyncIterable<Buffer>) {
    for (let at = 0; at < chunk.length; at += step) {
      yield chunk.subarray(at, at + step)
      await sleep(1000 / SLOW_CHUNKS_PER_SECOND)
    }
  }
}

async function* upTo(
  file: Readable,
  limit: number,
  then: () => Promise<void>,
): AsyncGenerator<Buffer> {
  let left = limit
  for await (const chunk of file as AsyncIterable<Buffer>) {
    const part = chunk.subarray(0, left)
    left -= part.length
    yield part
    if (left === 0) break
  }
  await then()
}

const closed = (response: ServerResponse) =>
  new Promise<void>((resolve) => {
    if (response.destroyed || response.closed) resolve()
    else response.once('close', () => resolve())
  })
