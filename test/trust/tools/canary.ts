import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

/** A listener that nobody should reach. */
export interface Canary extends AsyncDisposable {
  readonly port: number
  /** What was said to it, a text for each connection. */
  readonly visits: readonly string[]
}

/** Without a host on all of both families, so that no spelling of this machine misses it. */
export async function startCanary({ host = '::', port = 0 } = {}): Promise<Canary> {
  const visits: string[] = []
  const server = createServer((socket) => {
    const visit = visits.push('') - 1
    socket.on('data', (bytes) => {
      visits[visit] += bytes.toString('latin1')
      socket.end('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}')
    })
    // A visitor may leave as they like.
    socket.on('error', () => socket.destroy())
  })
  server.listen(port, host)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    visits,
    async [Symbol.asyncDispose]() {
      server.close()
      await once(server, 'close')
    },
  }
}
