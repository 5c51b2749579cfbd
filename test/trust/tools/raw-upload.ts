import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

import { formBody } from '../../../benchmarks/support/form-body.ts'

/** An upload whose every byte is ours to send or to keep. */
export interface RawUpload extends Disposable {
  readonly totalBytes: number
  readonly sentBytes: number
  /** Goes on to so many bytes of the body; waits while the other side does not read. */
  sendUntil(bytes: number): Promise<void>
  /** The status line, once there is one; null when the connection was cut without. */
  status(): Promise<number | null>
  /** Hangs up in the middle of whatever is going on. */
  hangUp(): void
}

interface RawUploadOptions {
  readonly address: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly fields: Readonly<Record<string, string>>
  readonly filename: string
  readonly content: Buffer
}

const PIECE_BYTES = 64 * 1024

export async function beginRawUpload(options: RawUploadOptions): Promise<RawUpload> {
  const form = formBody(options.fields, options.filename)
  const body = Buffer.concat([Buffer.from(form.head), options.content, Buffer.from(form.end)])
  const { hostname, port } = new URL(options.address)
  const socket = connect(Number(port), hostname)
  const answered = firstStatus(socket)
  await once(socket, 'connect')
  // A connection that is cut is told by the answer that does not come.
  socket.on('error', () => socket.destroy())
  socket.write(
    [
      `POST ${options.path} HTTP/1.1`,
      `Host: ${hostname}:${port}`,
      `Content-Type: ${form.type}`,
      `Content-Length: ${body.length}`,
      ...Object.entries(options.headers).map(([name, value]) => `${name}: ${value}`),
      '\r\n',
    ].join('\r\n'),
  )
  let sentBytes = 0
  return {
    totalBytes: body.length,
    get sentBytes() {
      return sentBytes
    },
    async sendUntil(bytes) {
      while (sentBytes < Math.min(bytes, body.length) && !socket.destroyed) {
        const end = Math.min(sentBytes + PIECE_BYTES, bytes, body.length)
        const piece = body.subarray(sentBytes, end)
        sentBytes = end
        if (!socket.write(piece)) await drainedOrClosed(socket)
      }
    },
    status: () => answered,
    hangUp: () => void socket.destroy(),
    [Symbol.dispose]: () => void socket.destroy(),
  }
}

/** Not `once`: a reset while we wait is an end like any other. */
function drainedOrClosed(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      socket.off('drain', done).off('close', done)
      resolve()
    }
    socket.once('drain', done).once('close', done)
  })
}

function firstStatus(socket: Socket): Promise<number | null> {
  return new Promise((resolve) => {
    let text = ''
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1')
      const status = /^HTTP\/1\.1 (\d{3})/.exec(text)?.[1]
      if (status !== undefined) resolve(Number(status))
    })
    socket.once('close', () => resolve(null))
  })
}
