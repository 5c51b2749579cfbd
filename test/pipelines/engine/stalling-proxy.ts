import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface StallingProxy extends AsyncDisposable {
  readonly url: string
  readonly forwardedBytes: number
  /** From now on nothing goes to the server any more, though every connection stays open. */
  stall(): void
}

/** A way to the database that can be blocked, as a network blocks it. */
export async function stallingProxy(url: string): Promise<StallingProxy> {
  const { hostname, port } = new URL(url)
  const sockets = new Set<Socket>()
  let isStalled = false
  let forwardedBytes = 0
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => socket.destroy())
    }
    client.on('data', (bytes) => {
      forwardedBytes += bytes.length
      if (!upstream.write(bytes)) client.pause()
      if (isStalled) client.pause()
    })
    upstream.on('drain', () => {
      if (!isStalled) client.resume()
    })
    upstream.on('data', (bytes) => client.write(bytes))
    upstream.on('close', () => client.destroy())
    client.on('close', () => upstream.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const proxied = new URL(url)
  proxied.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: proxied.href,
    get forwardedBytes() {
      return forwardedBytes
    },
    stall() {
      isStalled = true
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
